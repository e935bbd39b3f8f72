"""The referee of Bunny Bunny Moose Moose; the rooms and their floors are described in docs/architecture.md."""
