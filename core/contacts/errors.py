"""What is refused about contacts."""

from core.foundation.errors import Conflict, FieldError, ValidationFailed


class PhoneAlreadyRegistered(Conflict):
    default_detail = "Another contact of this organization has this phone; change that one instead."

    def __init__(self) -> None:
        code = "TELEFONE_JA_CADASTRADO"
        taken = FieldError("pointer", "/phone", code, "Another contact has this phone")
        super().__init__(meta={"code": code}, errors=[taken])


class ExternalIdTaken(Conflict):
    default_detail = (
        "Another contact of this organization has this externalId; each belongs to one contact."
    )

    def __init__(self) -> None:
        code = "EXTERNAL_ID_JA_CADASTRADO"
        taken = FieldError("pointer", "/externalId", code, "Another contact has this externalId")
        super().__init__(meta={"code": code}, errors=[taken])


class FieldRefused(ValidationFailed):
    """A readable value that a rule forbids; its code stands in `meta.code` too."""

    def __init__(self, pointer: str, code: str, message: str) -> None:
        super().__init__(
            f"{message}.",
            meta={"code": code},
            errors=[FieldError("pointer", pointer, code, message)],
        )


class PhoneCannotChange(FieldRefused):
    def __init__(self) -> None:
        super().__init__(
            "/phone",
            "TELEFONE_IMUTAVEL",
            "The phone of a contact never changes; create another contact",
        )


class NoSuchCompany(FieldRefused):
    def __init__(self) -> None:
        super().__init__("/companyId", "VINCULO_INVALIDO", "This organization has no such company")


class TooManyAfterMerge(FieldRefused):
    def __init__(self, pointer: str) -> None:
        super().__init__(
            pointer,
            "too_many",
            "With what is stored already these are more than a contact can have",
        )


class ConsentInTheFuture(FieldRefused):
    def __init__(self, pointer: str) -> None:
        message = "The date of a consent or of its revocation cannot lie in the future"
        super().__init__(pointer, "DATA_DO_CONSENTIMENTO_NO_FUTURO", message)


class ConsentBeforeRevocation(FieldRefused):
    def __init__(self) -> None:
        message = (
            "Who revoked a consent grants it again with a source and a date later than "
            "the revocation"
        )
        super().__init__("/optIn/at", "CONSENTIMENTO_ANTERIOR_A_REVOGACAO", message)


class ConsentCannotBeForgotten(FieldRefused):
    def __init__(self) -> None:
        message = "A consent that was granted or denied does not become unknown again"
        super().__init__("/optIn/status", "MOVIMENTO_DE_CONSENTIMENTO_INVALIDO", message)
