"""HTTP server of the table screen: routes, gatekeeper, limits, media."""
