"""The errors of SMPP accounts."""

from core.foundation.errors import Conflict, FieldError, NotFound, ValidationFailed


class NoSuchSmppAccount(NotFound):
    default_detail = "No SMPP account has this id."


class NoSuchSmppBind(NotFound):
    default_detail = "No bind that is open has this id."


class SystemIdTaken(Conflict):
    default_detail = "An account has this system_id already; choose another one."

    def __init__(self) -> None:
        super().__init__(meta={"code": "SYSTEM_ID_EM_USO"})


class SmppAccountRevoked(Conflict):
    default_detail = "The account is revoked; open another one."

    def __init__(self) -> None:
        super().__init__(meta={"code": "CONTA_REVOGADA"})


class NetworksMissing(ValidationFailed):
    default_detail = "An account of live names the networks that it may be used from."

    def __init__(self) -> None:
        super().__init__(
            errors=[FieldError("pointer", "/ips", "required", "Name at least one network")]
        )


class BindRefused(Exception):
    """A bind that is not let in. `reason` is for the log and the metrics: the client is told nothing."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
