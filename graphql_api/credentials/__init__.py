"""API keys and sessions in the schema."""
