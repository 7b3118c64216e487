"""Figures of messages, contacts and campaigns."""
