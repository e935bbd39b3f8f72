"""ASGI middlewares in front of all routes, one concern each."""
