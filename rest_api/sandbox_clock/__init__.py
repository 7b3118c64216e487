"""The clock of a sandbox over REST."""
