"""What is refused about customer events."""

from collections.abc import Sequence

from core.foundation.errors import FieldError, ValidationFailed


class DifferentContacts(ValidationFailed):
    def __init__(self, fields: Sequence[str]) -> None:
        message = "The identifiers belong to different contacts; send those of one"
        super().__init__(
            errors=[
                FieldError("pointer", f"/contact/{field}", "CONTATOS_DIFERENTES", message)
                for field in fields
            ]
        )


class AmbiguousEmail(ValidationFailed):
    def __init__(self) -> None:
        message = "Several contacts have this e-mail address; send another identifier with it"
        super().__init__(
            errors=[FieldError("pointer", "/contact/email", "CONTATO_AMBIGUO", message)]
        )
