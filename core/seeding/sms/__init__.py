"""SMS of the past: sent, reported on, answered and paid."""

from core.seeding.sms.write import write_messages

__all__ = ["write_messages"]
