"""The clock of a sandbox in the schema."""
