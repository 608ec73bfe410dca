"""What the flows of the gateway answer with. The same structs draw the OpenAPI document and are sent."""
