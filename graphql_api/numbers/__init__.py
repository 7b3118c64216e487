"""Numbers that conversations leave from."""
