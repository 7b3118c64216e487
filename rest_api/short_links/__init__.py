"""Short links over REST: the list for the sender, the redirect for the recipient."""
