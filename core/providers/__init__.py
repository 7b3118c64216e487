"""The systems behind the channels, and the words in which the service speaks to them."""
