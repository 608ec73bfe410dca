"""Values that every layer shares: parsed once, trusted after. They know no domain."""

from typing import Any

# JSON whose fields nobody here fixes: what strangers wrote, and notes that differ from one to the next. It is read field by
# field where it is read; whatever has fields of its own is a struct.
Json = dict[str, Any]
