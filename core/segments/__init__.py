"""Dynamic segments: the contacts that match a filter at this moment."""
