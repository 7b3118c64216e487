"""The people of an organization in the schema."""
