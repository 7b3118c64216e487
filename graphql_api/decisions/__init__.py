"""Decisions about sends in GraphQL."""
