"""The pages of `docs/` as a site with a search: what the product serves at /docs."""
