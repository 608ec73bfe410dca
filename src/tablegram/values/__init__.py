"""Values that every layer shares: parsed once, trusted after. They know no domain."""
