"""The OpenAPI document of the API, drawn from the routes and types that answer."""
