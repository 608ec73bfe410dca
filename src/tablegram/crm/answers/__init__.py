"""What is told of contacts. The same structs draw the OpenAPI document and are sent."""
