"""Templates in the schema."""
