"""What is refused about companies."""

from collections.abc import Mapping

from core.foundation.errors import Conflict, FieldError, ServiceUnavailable, ValidationFailed


class CnpjTaken(Conflict):
    default_detail = "Another company of this organization has this CNPJ; change that one instead."

    def __init__(self) -> None:
        code = "CNPJ_JA_CADASTRADO"
        taken = FieldError("pointer", "/cnpj", code, "Another company has this CNPJ")
        super().__init__(meta={"code": code}, errors=[taken])


class NameNotUnique(ValidationFailed):
    """A line of an import that has only a name, which several companies have."""

    def __init__(self) -> None:
        message = (
            "Several companies have this name, so that nobody knows which is meant; send "
            "the CNPJ too"
        )
        super().__init__(errors=[FieldError("pointer", "/nome", "not_allowed", message)])


class KeysRepeated(Conflict):
    default_detail = "A key is defined twice; send each key once."

    def __init__(self, places: list[int]) -> None:
        code = "CHAVE_REPETIDA"
        errors = [
            FieldError("pointer", f"/defs/{place}/key", code, "An earlier one has this key")
            for place in places
        ]
        super().__init__(meta={"code": code}, errors=errors)


class SensitivePropertyInUse(Conflict):
    """What has to stay as it is: keys of definitions, each with the place that asked otherwise."""

    default_detail = (
        "A property that looks like a document, a password, a card or a token still "
        "has values in companies, so it "
        "stays and keeps its label; remove the values first."
    )

    def __init__(self, places: Mapping[str, str]) -> None:
        code, message = (
            "PROPRIEDADE_SENSIVEL_EM_USO",
            "Companies still have values of a property that this would change",
        )
        errors = [
            FieldError("pointer", place, code, message) for place in dict.fromkeys(places.values())
        ]
        super().__init__(meta={"code": code, "chaves": list(places)}, errors=errors)


class CheckTookTooLong(ServiceUnavailable):
    default_detail = (
        "Whether companies still have values of the property could not be told "
        "within 5 seconds, so nothing changed; "
        "try again later."
    )
