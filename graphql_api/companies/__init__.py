"""Companies in the schema."""
