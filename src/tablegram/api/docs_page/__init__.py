"""The human docs: one page for each area of the API, made from its OpenAPI document. Nothing is fetched from elsewhere."""
