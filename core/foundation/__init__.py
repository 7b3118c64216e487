"""What every domain stands on; nothing in here knows a domain."""
