"""Stories run against a service of their own."""

from tests.support.service import machines, migrated, receiver, service

__all__ = ["machines", "migrated", "receiver", "service"]
