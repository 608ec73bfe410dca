"""The phone page: phones in a browser, to write as a customer and to watch what a line does."""
