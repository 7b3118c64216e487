"""The three operations of media."""

from functools import partial

from core import media
from core.foundation.security.caller import Scope
from rest_api.media import examples
from rest_api.media.bodies import read_binary_file, read_json_file
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
