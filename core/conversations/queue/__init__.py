"""The outbound queue: claim, pacing, hand-over to the platform, settlement, retry, reconciliation."""
