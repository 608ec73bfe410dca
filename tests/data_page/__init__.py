"""The page where a person sees and erases what is kept of them."""
