"""Accounts of SMPP in the schema."""
