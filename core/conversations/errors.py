"""Errors of conversational sending."""

from datetime import datetime

from core.foundation.clock import wire_time
from core.foundation.errors import Conflict, FieldError, ValidationFailed
from core.foundation.rules import Rule


class WindowClosed(ValidationFailed):
    """`closed_at` None: the recipient never wrote."""

    rule = Rule.WINDOW
    default_detail = (
        "Outside the 24 hours after the recipient's last message only a template may be sent."
    )

    def __init__(self, closed_at: datetime | None) -> None:
        super().__init__(
            meta={} if closed_at is None else {"fechouEm": wire_time(closed_at)},
            errors=[
                FieldError(
                    "pointer",
                    "/type",
                    "JANELA_FECHADA",
                    "Send a template, or wait for the recipient",
                )
            ],
        )


class RepeatedRecipient(ValidationFailed):
    """The same call sends this person another message. Only a bulk send finds it, and answers it as
    a code.
    """


class NoSuchMessage(ValidationFailed):
    def __init__(self) -> None:
        message = "Name a message of this conversation that the platform knows"
        super().__init__(errors=[FieldError("pointer", "/replyTo", "not_found", message)])


class UnfitFile(ValidationFailed):
    def __init__(self, pointer: str) -> None:
        super().__init__(
            errors=[FieldError("pointer", pointer, "not_allowed", "The file is of another kind")]
        )


class NotFinished(Conflict):
    default_detail = (
        "Only a message that was delivered, read or failed can be archived; this one is under way."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "MENSAGEM_EM_ANDAMENTO"})
