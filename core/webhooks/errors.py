"""Errors of webhook use cases."""

from core.foundation.errors import Conflict, FieldError, RateLimited, ResourceGone, ValidationFailed


class TooManyValidations(RateLimited):
    default_detail = (
        "More than 10 validations within a minute; wait for the seconds in "
        "Retry-After and ask again."
    )

    def __init__(self, *, retry_after: int) -> None:
        super().__init__(meta={"code": "LIMITE_DE_VALIDACOES"}, retry_after=retry_after)


class AddressUnconfirmed(Conflict):
    default_detail = (
        "The address has never answered a delivery with 2xx; let POST "
        "/webhooks/{id}/test succeed, then replay."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "ENDERECO_NAO_CONFIRMADO"})


class CursorLost(ResourceGone):
    """`cursor`: where to go on, behind the last event before it that is still known."""

    default_detail = (
        "The cursor lies ahead of the feed, whose database lost its last events; go "
        "on with meta.cursor and take what "
        "follows it as new."
    )

    def __init__(self, cursor: str) -> None:
        super().__init__(meta={"code": "CURSOR_PERDIDO", "cursor": cursor})


class PingUnanswered(ValidationFailed):
    """`meta.motivo` is the reason as POST /webhooks/validate words it."""

    default_detail = (
        "The subscription is revoked and its endpoint did not answer a signed "
        "webhook.ping with 2xx."
    )

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(
            meta={"motivo": reason}, errors=[FieldError("pointer", "/status", reason, message)]
        )


def no_such_stored_header(place: int) -> FieldError:
    """`***` keeps a stored value, and there is none under this key."""
    message = "This is a masked value and no value is stored under this key; send the whole value"
    return FieldError("pointer", f"/headers/{place}/value", "VALOR_MASCARADO", message)


def revoked_is_not_paused() -> FieldError:
    """A pause would be the way around the ping that a revoked subscription owes."""
    message = "A revoked subscription receives nothing; send active, which tries its endpoint first"
    return FieldError("pointer", "/status", "not_allowed", message)
