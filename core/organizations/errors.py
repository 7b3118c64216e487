"""Why a credential does not open the door."""

from core.foundation.errors import NotFound, Unauthorized


class NoCredential(Unauthorized):
    def __init__(self) -> None:
        super().__init__(meta={"motivo": "ausente"})


class InvalidCredential(Unauthorized):
    default_detail = "The credential is not known; check that the key was copied whole."

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "invalida"})


class ExpiredCredential(Unauthorized):
    default_detail = "The credential has expired; issue a new one."

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "expirada"})


class RevokedCredential(Unauthorized):
    default_detail = "The credential was revoked; issue a new one."

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "revogada"})


class NoSuchOrganization(NotFound):
    default_detail = "No organization has this id."


class NoSuchKey(NotFound):
    default_detail = "No API key has this id."
