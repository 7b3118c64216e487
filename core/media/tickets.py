"""Use case: a ticket, with which a browser uploads one file without a credential."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, TypedDict, cast

import orjson
from pydantic import Field

from core.foundation.clock import real_now, wire_time
from core.foundation.errors import FieldError, NotFound, ValidationFailed
from core.foundation.files import clean_file_name
from core.foundation.ids import is_id, new_id
from core.foundation.records import Doc, Instant, LargeInt, named
from core.foundation.security.caller import Caller, Env, Scope
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import CannotDecrypt
from core.foundation.settings import current
from core.foundation.validation.inputs import Input
from core.media.inputs import MEDIA_TYPE
from core.media.receive import MAX_BYTES
from core.numbers import Number

TICKET_LIFETIME = timedelta(minutes=10)
"""Until an upload has to begin."""

CONTEXT = "media.upload_ticket"
PATH = "/media/uploads"


class NewMediaTicket(Input):
    """The file that is to be uploaded."""

    filename: str = Field(
        min_length=1, max_length=255, description="Name of the file", examples=["nota.pdf"]
    )
    mime_type: str = Field(
        max_length=120,
        pattern=MEDIA_TYPE,
        description="Media type of the file; what its bytes say goes before it",
        examples=["application/pdf"],
    )


@named(rest="MediaTicket", graphql="MediaTicket")
class MediaTicketRecord(TypedDict):
    """Where one file may be sent to, without a credential: `POST` its bytes to `url`, with
    `Content-Type: application/octet-stream`.
    """

    url: Annotated[str, Doc("Takes the bytes of the file, once; it is a secret until it ends")]
    expiresAt: Annotated[Instant, Doc("Until when an upload has to begin")]
    maxBytes: Annotated[LargeInt, Doc("How long the file may be, in bytes")]


@dataclass(frozen=True, slots=True)
class MediaTicket:
    """What a ticket stands for."""

    caller: Caller
    """Who was given it, and may do nothing else with it."""

    number_id: str
    media_id: str
    """The id that its file will have: there is one of an id, so a ticket works once."""

    filename: str
    mime_type: str


class _Sealed(TypedDict):
    """What is written into a ticket."""

    organization_id: str
    env: Env
    credential_id: str | None
    account_id: str | None
    has_clock: bool
    number_id: str
    media_id: str
    filename: str
    mime_type: str
    ends_at: str


async def issue_media_ticket(
    caller: Caller, number_id: str, new: NewMediaTicket
) -> MediaTicketRecord:
    """A ticket for one file of a number's messages. Nothing is stored. Raises NotFound."""
    caller.require(Scope.MEDIA_WRITE)
    name = clean_file_name(new.filename)
    if name is None:
        told = "Send a name of 1 to 255 characters that can be shown"
        raise ValidationFailed(errors=[FieldError("pointer", "/filename", "wrong_format", told)])
    found = Number.visible_to(caller).filter(id=number_id)
    if not is_id("num", number_id) or not await found.exists():
        raise NotFound
    ends_at = real_now() + TICKET_LIFETIME
    sealed = _Sealed(
        organization_id=caller.organization_id,
        env=caller.env,
        credential_id=caller.credential_id,
        account_id=caller.account_id,
        has_clock=caller.has_clock,
        number_id=number_id,
        media_id=new_id("med"),
        filename=name,
        mime_type=new.mime_type,
        ends_at=ends_at.isoformat(),
    )
    ticket = keyring().encrypt(orjson.dumps(sealed).decode(), context=CONTEXT)
    return {
        "url": f"{current().base_url}{PATH}/{ticket}",
        "expiresAt": wire_time(ends_at),
        "maxBytes": MAX_BYTES,
    }


def read_media_ticket(text: str, *, request_id: str | None) -> MediaTicket:
    """What a ticket stands for. Raises NotFound for one that is none of ours, or is too old."""
    try:
        told = cast("_Sealed", orjson.loads(keyring().decrypt(text, context=CONTEXT)))
    except CannotDecrypt:
        raise NotFound from None
    if datetime.fromisoformat(told["ends_at"]) <= real_now():
        raise NotFound
    caller = Caller(
        told["organization_id"],
        told["env"],
        frozenset({Scope.MEDIA_WRITE}),
        told["credential_id"],
        told["account_id"],
        request_id,
        has_clock=told["has_clock"],
    )
    return MediaTicket(
        caller, told["number_id"], told["media_id"], told["filename"], told["mime_type"]
    )
