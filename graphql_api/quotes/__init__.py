"""Quotes in GraphQL."""
