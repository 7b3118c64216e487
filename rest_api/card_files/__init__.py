"""The files of a card over REST."""
