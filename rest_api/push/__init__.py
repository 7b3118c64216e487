"""Push over REST."""
