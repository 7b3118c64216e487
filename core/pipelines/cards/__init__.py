"""Deals: cards that move through the stages of a pipeline."""
