"""SMS over REST."""
