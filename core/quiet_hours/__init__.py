"""Hours in which nobody is to be disturbed."""
