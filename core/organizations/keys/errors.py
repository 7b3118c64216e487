"""What the use cases of keys refuse."""

from collections.abc import Iterable

from core.foundation.errors import Conflict, FieldError, ValidationFailed


class KeyRevoked(Conflict):
    default_detail = "The key is revoked; issue a new one."

    def __init__(self) -> None:
        super().__init__(meta={"code": "CHAVE_REVOGADA"})


class KeyExpired(Conflict):
    default_detail = "The key has expired; issue a new one."

    def __init__(self) -> None:
        super().__init__(meta={"code": "CHAVE_EXPIRADA"})


class KeyAlreadyRotated(Conflict):
    default_detail = "Another key replaces this one already; replacedById names it."

    def __init__(self, replaced_by_id: str) -> None:
        super().__init__(meta={"code": "CHAVE_JA_ROTACIONADA", "replacedById": replaced_by_id})


class WiderScopes(ValidationFailed):
    default_detail = (
        "A key never gains scopes; leave out each one named in errors, or issue another key."
    )

    def __init__(self, places: Iterable[int]) -> None:
        code = "ESCOPO_AMPLIADO"
        message = "The key does not hold this scope"
        super().__init__(
            meta={"code": code},
            errors=[FieldError("pointer", f"/scopes/{place}", code, message) for place in places],
        )
