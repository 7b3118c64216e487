"""Cards, their history and their activities over REST."""
