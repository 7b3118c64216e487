"""The errors of the sandbox's clock."""

from core.foundation.errors import Conflict, FieldError, ValidationFailed


class ClockAdvancing(Conflict):
    default_detail = "The clock is being moved; wait until its status is pronto."

    def __init__(self) -> None:
        super().__init__(meta={"code": "RELOGIO_AVANCANDO"})


class ClockNotSet(Conflict):
    default_detail = "The sandbox is in real time; set its clock first."

    def __init__(self) -> None:
        super().__init__(meta={"code": "RELOGIO_NAO_DEFINIDO"})


class NothingDue(Conflict):
    default_detail = "Nothing is due in this sandbox; advance by a period or to an instant."

    def __init__(self) -> None:
        super().__init__(meta={"code": "NADA_A_VENCER"})


class ClockOutOfRange(ValidationFailed):
    """`field`: the one that leads there."""

    def __init__(self, field: str, *, back: bool) -> None:
        code, message = (
            ("RELOGIO_PARA_TRAS", "The clock only goes forward; name a later instant")
            if back
            else ("too_large", "It lies at most two years ahead of the real time")
        )
        super().__init__(errors=[FieldError("pointer", f"/{field}", code, message)])
