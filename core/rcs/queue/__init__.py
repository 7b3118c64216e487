"""RCS messages that leave later: accepted as queued, claimed when they are due."""
