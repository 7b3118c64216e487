"""Contacts: who they are, what is known of them, and what they consented to."""

from cli.seed.contacts.write import write_contacts

__all__ = ["write_contacts"]
