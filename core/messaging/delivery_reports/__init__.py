"""Delivery reports: received, applied to their messages, kept while unmatched, logged."""
