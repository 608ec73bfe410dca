"""What needs two domains, where no area's folder has it."""
