"""Pages and parts of pages as Jinja2 templates."""
