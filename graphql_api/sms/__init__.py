"""SMS in the schema: what can be done with them; they are read as messages."""
