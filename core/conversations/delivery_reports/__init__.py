"""Delivery reports: matched to a message, applied by rank, logged, or kept unmatched."""
