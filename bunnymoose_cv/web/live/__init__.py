"""Published state of the session as view models and live updates of pages."""
