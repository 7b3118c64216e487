"""What the service writes to people: invitations, and e-mails about forgotten passwords."""

from core.people.forgotten_password import ask_reset
from core.people.invite import invite

__all__ = ["ask_reset", "invite"]
