"""Whose credential it is."""
