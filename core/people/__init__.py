"""What the service writes to people: invitations, and letters about forgotten passwords."""

from core.people.forgotten_password import ask_reset

__all__ = ["ask_reset"]
