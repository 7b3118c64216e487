"""Stories run against a service of their own."""

from tests.support.service import machines, receiver, service, template

__all__ = ["machines", "receiver", "service", "template"]
