"""The errors of push."""

from core.foundation.errors import BadRequest, Conflict, FieldError, NotFound, ValidationFailed


class NoSuchApp(NotFound):
    default_detail = "No app of this appId is registered here; register it first."

    def __init__(self) -> None:
        super().__init__(meta={"code": "APP_DESCONHECIDO"})


class AppIdTaken(Conflict):
    default_detail = "An app of this appId is registered already; change it instead."

    def __init__(self) -> None:
        super().__init__(meta={"code": "APP_JA_CADASTRADO"})


class BrowserKeysMissing(BadRequest):
    default_detail = (
        "A browser's subscription has an address and two keys; send p256dh and auth with it."
    )

    def __init__(self, names: list[str]) -> None:
        super().__init__(
            errors=[
                FieldError("pointer", f"/{name}", "required", "A browser's subscription needs it")
                for name in names
            ]
        )


class UnusableEndpoint(BadRequest):
    default_detail = "The token of a browser is the https address of its push service."

    def __init__(self) -> None:
        super().__init__(
            errors=[
                FieldError(
                    "pointer",
                    "/token",
                    "wrong_format",
                    "Send the endpoint of the browser's subscription",
                )
            ]
        )


class NoSuchSegment(ValidationFailed):
    default_detail = "The segment cannot be used; name one that is stored in this environment."

    def __init__(self) -> None:
        super().__init__(
            errors=[
                FieldError(
                    "pointer", "/segment", "VINCULO_INVALIDO", "There is no such segment here"
                )
            ]
        )


class NoLongerCancelable(Conflict):
    default_detail = (
        "Only a dispatch that is scheduled or deferred can be canceled; this one is past that."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "ENVIO_JA_INICIADO"})
