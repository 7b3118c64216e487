"""Static lists: the contacts that somebody put there."""
