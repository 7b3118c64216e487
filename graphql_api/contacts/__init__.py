"""Contacts in the schema."""
