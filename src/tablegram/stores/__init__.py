"""Shops, forms and other places that tell of orders, carts and what people sent."""
