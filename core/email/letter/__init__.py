"""The letter of a message: written, tracked, sealed."""

from core.email.letter.compose import Composed, compose
from core.email.letter.seal import unseal
from core.email.letter.tokens import Ticket, read_token

__all__ = ["Composed", "Ticket", "compose", "read_token", "unseal"]
