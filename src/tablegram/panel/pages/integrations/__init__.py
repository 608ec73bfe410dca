"""Pages by which programs connect: keys, webhooks, deliveries, samples, the request log."""
