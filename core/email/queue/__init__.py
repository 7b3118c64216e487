"""E-mails that leave later: accepted as queued, put into the outbox when they are due."""
