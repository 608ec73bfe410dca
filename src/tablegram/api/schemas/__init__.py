"""What the API takes and gives, as types. The OpenAPI document and the checks are both made from these."""
