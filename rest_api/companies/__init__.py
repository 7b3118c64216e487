"""Companies over REST."""
