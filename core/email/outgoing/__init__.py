"""An outgoing e-mail: composed as MIME, tracked, sealed."""

from core.email.outgoing.compose import ComposedEmail, compose, is_large
from core.email.outgoing.seal import unseal
from core.email.outgoing.tokens import Ticket, read_token

__all__ = ["ComposedEmail", "Ticket", "compose", "is_large", "read_token", "unseal"]
