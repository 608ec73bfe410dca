"""What is answered about points, coupons and stamp cards: the structs that flows make, pages show, and the API encodes."""
