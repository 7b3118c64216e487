"""SMS of the past: sent, reported on, answered and paid."""

from cli.seed.sms.write import write_messages

__all__ = ["write_messages"]
