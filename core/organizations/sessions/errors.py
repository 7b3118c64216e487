"""What logging in and out refuses."""

from collections.abc import Iterable

from core.foundation.errors import (
    Forbidden,
    NotFound,
    RateLimited,
    ServiceUnavailable,
    Unauthorized,
    ValidationFailed,
)


class WrongCredentials(Unauthorized):
    """It never tells which part was wrong, nor whether the account exists."""

    default_detail = "E-mail and password do not open an active account; check both."

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "credenciais_invalidas"})


class LogInLocked(RateLimited):
    default_detail = (
        "Too many failed log-ins in a row; wait for the seconds in Retry-After and try again."
    )

    def __init__(self, seconds: int) -> None:
        super().__init__(meta={"code": "LOGIN_BLOQUEADO"}, retry_after=seconds)


class TooManyLogIns(ServiceUnavailable):
    default_detail = "Too many people are logging in at this moment; try again in a second."

    def __init__(self) -> None:
        super().__init__(retry_after=1)


class AmbiguousOrganization(ValidationFailed):
    """Only somebody whose password opens each of them learns of these organizations."""

    default_detail = (
        "The password opens accounts of several organizations; send organizationId "
        "with one of them."
    )

    def __init__(self, organizations: Iterable[tuple[str, str]]) -> None:
        named = [{"id": id, "nome": name} for id, name in organizations]
        super().__init__(meta={"code": "ORGANIZACAO_AMBIGUA", "organizacoes": named})


class NotForKeys(Forbidden):
    default_detail = (
        "Only a person in a session does this; an API key has no password and no log-ins."
    )


class NoSuchSession(NotFound):
    default_detail = "No open session has this id."


class NotASession(Forbidden):
    default_detail = "Only a session can be ended here; a key is revoked by whoever manages keys."
