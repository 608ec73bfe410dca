"""Every route with the way to call it: what is added to the product without an entry here fails the inventory."""

from tests.security.matrix import business, gateway, restaurant

CASES = gateway.CASES | restaurant.CASES | business.CASES
