"""The human docs: Swagger UI from its package, our own page around it. Nothing is fetched from elsewhere."""
