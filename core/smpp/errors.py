"""The errors of SMPP accounts."""

from core.foundation.errors import Conflict, NotFound


class NoSuchSmppAccount(NotFound):
    default_detail = "No SMPP account has this id."


class SystemIdTaken(Conflict):
    default_detail = "An account has this system_id already; choose another one."


class BindRefused(Exception):
    """A bind that is not let in. `reason` is for the log and the metrics: the client is told nothing."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
