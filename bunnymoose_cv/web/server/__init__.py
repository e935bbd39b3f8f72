"""HTTP server of the table screen: middlewares, routes, limits, media."""
