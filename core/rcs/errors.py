"""The errors of the channel RCS."""

from core.foundation.errors import FieldError, PreconditionFailed, ValidationFailed
from core.rcs.inputs import MAX_TEXT_LENGTH


class RouteWithoutPrice(PreconditionFailed):
    """The organization's price table lacks the route, or the one on which its fallback would leave."""

    default_detail = (
        "Your price table has no price for this route; ask for one or use another route."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "ROTA_SEM_PRECO"})


class TooLongWithLinks(ValidationFailed):
    """The short links are longer than the addresses that they replace."""

    def __init__(self) -> None:
        message = f"With its short links the text has more than {MAX_TEXT_LENGTH} characters"
        super().__init__(errors=[FieldError("pointer", "/content/text", "too_long", message)])
