"""The outbound queue: claim, pacing, hand-over, settlement, retry, reconciliation."""
