"""Cards in the schema."""
