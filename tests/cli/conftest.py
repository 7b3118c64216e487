"""Commands that need a whole service get one of their own."""

from tests.support.service import machines, service, template

__all__ = ["machines", "service", "template"]
