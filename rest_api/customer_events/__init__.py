"""Customer events over REST."""
