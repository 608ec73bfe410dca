"""What doctor looks at: the checks that parts declare, and a look at all of them."""
