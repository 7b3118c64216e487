"""Delivery reports of the platform: matched to a message, applied by rank, logged, or kept unmatched."""
