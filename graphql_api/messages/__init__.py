"""Messages in the schema."""
