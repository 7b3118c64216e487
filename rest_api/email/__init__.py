"""E-mail over REST, and the addresses that recipients open."""
