"""Dynamic segments over REST."""
