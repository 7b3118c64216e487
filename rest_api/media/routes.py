"""The operations of media."""

from contextlib import nullcontext
from functools import partial

from core import cells, media, sandbox_clock
from core.foundation.security.caller import Scope
from rest_api.media import examples
from rest_api.media.bodies import BinaryFile, read_binary_file, read_bytes, read_json_file
from rest_api.media.send import send_media
from rest_api.support.operations import MAX_BODY_BYTES, Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import MESSAGE, NUMBER
from rest_api.support.streams import Streamed

UPLOAD_ERRORS = (400, 401, 403, 404, 413, 415, 422, 502)
KINDS = (
    "The type is read from the bytes, and decides the kind: JPEG and PNG up to 5 MB are images; "
    "AAC, AMR, MP3, MP4 and "
    "Ogg up to 16 MB audio; MP4 and 3GP up to 16 MB video; WebP up to 100 KB, or 500 KB when it "
    "moves, stickers; "
    "all else, and what is larger, documents. The file can be used for 30 days."
)


async def upload_media(call: Call) -> media.MediaRecord:
    return await media.upload_media(call.caller, call.path["numberId"], call.body)


async def upload_media_binary(call: Call) -> media.MediaRecord:
    return await media.upload_media(call.caller, call.path["numberId"], call.body)


async def create_media_ticket(call: Call[media.NewMediaTicket]) -> media.MediaTicketRecord:
    return await media.issue_media_ticket(call.caller, call.path["numberId"], call.body)


async def upload_media_by_ticket(call: Call) -> media.MediaRecord:
    ticket = media.read_media_ticket(call.path["ticket"], request_id=call.caller.request_id)
    caller, file = ticket.caller, BinaryFile(ticket.filename, ticket.mime_type, call.body)
    await cells.come_after(caller.organization_id)
    async with sandbox_clock.time_of(caller) if caller.has_clock else nullcontext():
        return await media.upload_media(caller, ticket.number_id, file, as_id=ticket.media_id)


async def get_message_media(call: Call[None, media.MediaQuery]) -> Streamed:
    return Streamed(partial(send_media, call.caller, call.path["id"], call.query))


operations = (
    Operation(
        "POST",
        "/numbers/{numberId}/media",
        upload_media,
        scope=Scope.MEDIA_WRITE,
        summary="Upload a file as JSON",
        tag="Media",
        errors=UPLOAD_ERRORS,
        status=201,
        body=media.NewMedia,
        reads=read_json_file,
        body_limit=MAX_BODY_BYTES,
        answer=media.MediaRecord,
        examples={"a file": examples.NEW},
        answers={"uploaded": examples.UPLOADED},
        ids={"numberId": NUMBER},
        description=f"Base64 makes the body a third larger; prefer the raw bytes for large "
        f"files. {KINDS}",
    ),
    Operation(
        "POST",
        "/numbers/{numberId}/media/binary",
        upload_media_binary,
        scope=Scope.MEDIA_WRITE,
        summary="Upload a file as bytes",
        tag="Media",
        errors=UPLOAD_ERRORS,
        status=201,
        takes_file=True,
        reads=read_binary_file,
        body_limit=media.MAX_BYTES,
        answer=media.MediaRecord,
        answers={"uploaded": examples.UPLOADED, "a voice note": examples.VOICE},
        ids={"numberId": NUMBER},
        description=f"The body is the file itself, up to 105 MB. {KINDS}",
    ),
    Operation(
        "POST",
        "/numbers/{numberId}/media/tickets",
        create_media_ticket,
        scope=Scope.MEDIA_WRITE,
        summary="Ask for a ticket to upload a file",
        tag="Media",
        errors=(400, 401, 403, 404, 422),
        status=201,
        body=media.NewMediaTicket,
        answer=media.MediaTicketRecord,
        examples={"a file": examples.ANNOUNCED},
        answers={"a ticket": examples.TICKET},
        ids={"numberId": NUMBER},
        description=(
            "A page in a browser has no key: it sends the bytes to `url`, within ten minutes, and "
            "nothing else can be done with the ticket, which works once. Nothing is stored until then."
        ),
    ),
    Operation(
        "POST",
        "/media/uploads/{ticket}",
        upload_media_by_ticket,
        scope=None,
        public=True,
        summary="Upload a file with a ticket",
        tag="Media",
        errors=(400, 404, 413, 415, 422, 502),
        status=201,
        takes_file=True,
        reads=read_bytes,
        body_limit=media.MAX_BYTES,
        answer=media.MediaRecord,
        answers={"uploaded": examples.UPLOADED},
        ids={"ticket": "9rJ2aQsealed"},
        description=(
            "The body is the file itself, with `Content-Type: application/octet-stream`; its name "
            "and type are those that the ticket was asked for. 404 where the ticket is over, or was "
            "used."
        ),
    ),
    Operation(
        "GET",
        "/messages/{id}/media",
        get_message_media,
        scope=Scope.MEDIA_READ,
        summary="Read the file of a message",
        tag="Media",
        errors=(401, 403, 404, 502),
        query=media.MediaQuery,
        answers_file=True,
        ids={"id": MESSAGE},
        description=(
            "Pictures, PDF, sound and film come as what they are; anything else, and all that "
            "could hold a script, as "
            "`application/octet-stream` to be saved. A `Range` is honoured where we have a copy. "
            "With `redirect`, 302 "
            "to our copy, at an address that needs no credential and works for 90 minutes; "
            "without a copy, the bytes."
        ),
    ),
)
