"""Why a credential is refused."""

from core.foundation.errors import NotFound, Unauthorized


class NoCredential(Unauthorized):
    def __init__(self) -> None:
        super().__init__(meta={"motivo": "ausente"})


class InvalidCredential(Unauthorized):
    default_detail = "The credential is not known; check that it was copied whole."

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "invalida"})


class NoBearer(InvalidCredential):
    """Most often the key alone."""

    default_detail = "Write the header as Authorization: Bearer, a space, and the key."


class ExpiredCredential(Unauthorized):
    default_detail = "The credential has expired; issue a new key, or log in again."

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "expirada"})


class RevokedCredential(Unauthorized):
    default_detail = "The credential was revoked; issue a new key, or log in again."

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "revogada"})


class AddressNotAllowed(Unauthorized):
    default_detail = (
        "The key may not be used from this network address; call from one that its list names."
    )

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "ip_nao_permitido"})


class NoSuchOrganization(NotFound):
    default_detail = "No organization has this id."


class NoSuchKey(NotFound):
    default_detail = "No API key has this id."
