"""Push in the schema."""
