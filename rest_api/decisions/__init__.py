"""Decisions about sends over REST: why one was refused, or what became of a message."""
