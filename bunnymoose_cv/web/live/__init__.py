"""Published state of the session as view models, and streams of events that keep pages up to date."""
