"""The audit trail in the schema."""
