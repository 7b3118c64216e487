"""Customer events in the schema."""
