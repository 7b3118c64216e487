"""Lists of contacts in the schema."""
