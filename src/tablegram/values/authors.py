"""Who wrote a message or a note, as it is kept: `member:ID`, `key:ID`, `phone`, or `auto:KIND` for the product itself."""

from __future__ import annotations

# A signed-in person calls like a key does; its id then says which member it is.
MEMBER_PREFIX = "member:"
KEY_PREFIX = "key:"
# In the network's own app.
BY_PHONE = "phone"
# The product on its own: the kind of an automatic reply, `order`, or `passed_on` where somebody of the team is to answer.
AUTOMATIC = "auto:"
# What a campaign says to many.
CAMPAIGN = f"{AUTOMATIC}campaign"
# A greeting, "we are closed" or "somebody will answer you" leaves the customer waiting for an answer.
NO_ANSWER = (f"{AUTOMATIC}greeting", f"{AUTOMATIC}closed", f"{AUTOMATIC}passed_on")
