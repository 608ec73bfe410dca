"""The payment providers themselves, each behind the port. Only the composition root knows them."""
