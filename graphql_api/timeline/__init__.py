"""The timeline of contacts in the schema."""
