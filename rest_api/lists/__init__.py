"""Static lists over REST."""
