"""Where an order meets its payment links: nothing is cooked before the money is there."""
