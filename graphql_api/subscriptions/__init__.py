"""Subscriptions, and graphql-transport-ws: the conversation in which they are told."""
