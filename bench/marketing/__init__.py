"""What segments and campaigns cost."""
