"""Reads that span domains: the set-based queries behind pages and figures."""
