"""E-mail in the schema: what can be done with it; it is read as messages."""
