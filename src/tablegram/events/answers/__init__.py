"""What is told of endpoints, deliveries and events. The same structs draw the OpenAPI document and are sent."""
