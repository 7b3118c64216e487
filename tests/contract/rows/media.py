"""Interface and decisions: files of conversations, in and out."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from core import media
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from core.providers import registry
from core.providers.platform import ConversationPlatform, UpstreamError
from tests.contract.table import Endpoint, Limit, Refusal
from tests.contract.world import World
from tests.factories.media import PDF, a_file
from tests.factories.numbers import a_number
from tests.factories.stored_messages import stored_conversation
from tests.fakes.files import FilesOfPlatform


@contextmanager
def served_by(platform: ConversationPlatform | None) -> Iterator[None]:
    """Live conversations are carried by this platform for a while."""
    before = registry.for_conversations()
    registry.converse_by(platform)
    try:
        yield
    finally:
        registry.converse_by(before)


async def a_number_to_upload_for(caller: Caller) -> str:
    """The id of a number, made while no platform is there that would have to confirm it."""
    with served_by(None):
        return (await a_number(caller)).id


async def a_message_with_a_file(caller: Caller) -> str:
    """The id of a message that carries a file."""
    number_id = await a_number_to_upload_for(caller)
    with served_by(FilesOfPlatform()):
        file = await a_file(caller, number_id=number_id)
    content = {"kind": "document", "media": {"id": file.id}}
    return await stored_conversation(
        caller, now(), type="media", content=content, media=media.stored_copy(file)
    )


async def a_ticket(caller: Caller) -> str:
    """What is behind the last slash of the address to upload to."""
    number_id = await a_number_to_upload_for(caller)
    new = media.NewMediaTicket(filename="recibo.pdf", mime_type="application/pdf")
    return (await media.issue_media_ticket(caller, number_id, new))["url"].rpartition("/")[2]


RECORDS = {
    "ticket": a_ticket,
    "number with files": a_number_to_upload_for,
    "message with a file": a_message_with_a_file,
}

UPLOAD = "POST /numbers/{numberId}/media"
UPLOAD_BYTES = "POST /numbers/{numberId}/media/binary"
TICKET = "POST /numbers/{numberId}/media/tickets"
BY_TICKET = "POST /media/uploads/{ticket}"
READ = "GET /messages/{id}/media"
ERRORS = "400 401 403 404 413 415 422 502"
NUMBER = {"numberId": "<number with files>"}

ENDPOINTS = [
    Endpoint(
        address=UPLOAD,
        scope="media:write",
        status=201,
        errors=ERRORS,
        ids=NUMBER,
        fields="filename! mimeType! dataBase64!",
        body={
            "filename": "recibo.pdf",
            "mimeType": "application/pdf",
            "dataBase64": "JVBERi0xLjcK",
        },
        body_limit=160_000_000,
    ),
    Endpoint(
        address=UPLOAD_BYTES,
        scope="media:write",
        status=201,
        errors=ERRORS,
        ids=NUMBER,
        file=PDF,
        body_limit=105_000_000,
    ),
    Endpoint(
        address=TICKET,
        scope="media:write",
        status=201,
        errors="400 401 403 404 422",
        ids=NUMBER,
        fields="filename! mimeType!",
        body={"filename": "recibo.pdf", "mimeType": "application/pdf"},
    ),
    Endpoint(
        address=BY_TICKET,
        scope=None,
        by="nobody",
        status=201,
        errors="400 404 413 415 422 502",
        never="400",  # but of a body that stops arriving
        ids={"ticket": "<ticket>"},
        file=PDF,
        body_limit=105_000_000,
    ),
    Endpoint(
        address=READ,
        scope="media:read",
        errors="401 403 404 502",
        ids={"id": "<message with a file>"},
        parameters="redirect download filename",
        answers_file=True,
    ),
]


async def a_platform_that_fails(world: World) -> None:
    """It refuses every file."""
    platform = FilesOfPlatform()
    platform.failure = UpstreamError("131053", "Media upload error")
    registry.converse_by(platform)
    world.stays.callback(registry.converse_by, None)


async def a_file_that_only_the_platform_has(world: World) -> None:
    number_id = await world.record("number with files")
    content: dict[str, Any] = {"kind": "image", "media": {"id": "up-1"}}
    world.records["message with a file"] = await stored_conversation(
        world.caller, now(), type="media", content=content, number_id=number_id
    )
    await a_platform_that_fails(world)


def refusals_of_both(address: str) -> list[Refusal]:
    return [
        Refusal(
            address=address,
            status=502,
            before=a_platform_that_fails,
            env="live",
            meta={"upstreamCode": "131053"},
        ),
        Refusal(address=address, status=503, env="live"),
    ]


REFUSALS = [
    *refusals_of_both(UPLOAD),
    *refusals_of_both(UPLOAD_BYTES),
    Refusal(address=UPLOAD, status=413, headers={"Content-Length": "160000001"}),
    *(
        Refusal(address=UPLOAD, status=415, headers={"Content-Type": content_type}, content=PDF)
        for content_type in (
            "multipart/form-data; boundary=x",
            "application/octet-stream",
            "image/png",
        )
    ),
    *(
        Refusal(address=UPLOAD_BYTES, status=415, headers={"Content-Type": content_type})
        for content_type in (
            "application/json",
            "multipart/form-data; boundary=x",
            "application/pdf",
        )
    ),
    Refusal(
        address=UPLOAD,
        status=422,
        change={"dataBase64": "AA*A"},
        wrong={"/dataBase64": "wrong_format"},
    ),
    *(
        Refusal(
            address=UPLOAD,
            status=422,
            change={"filename": name},
            wrong={"/filename": "wrong_format"},
        )
        for name in ("..", "\u202e")
    ),
    Refusal(
        address=TICKET, status=422, change={"filename": ".."}, wrong={"/filename": "wrong_format"}
    ),
    Refusal(address=BY_TICKET, status=413, headers={"Content-Length": "105000001"}),
    Refusal(address=BY_TICKET, status=415, headers={"Content-Type": "application/pdf"}),
    Refusal(address=BY_TICKET, status=422, content=b"", wrong={"": "required"}),
    *refusals_of_both(BY_TICKET),
    Refusal(address=UPLOAD_BYTES, status=413, headers={"Content-Length": "105000001"}),
    Refusal(
        address=UPLOAD_BYTES,
        status=400,
        headers={"x-filename": ...},
        wrong={"#x-filename": "required"},
    ),
    Refusal(
        address=UPLOAD_BYTES,
        status=400,
        headers={"x-content-type": ...},
        wrong={"#x-content-type": "required"},
    ),
    Refusal(
        address=UPLOAD_BYTES,
        status=422,
        headers={"x-filename": "%ff"},
        wrong={"#x-filename": "wrong_format"},
    ),
    Refusal(
        address=UPLOAD_BYTES,
        status=422,
        headers={"x-content-type": "pdf"},
        wrong={"#x-content-type": "wrong_format"},
    ),
    Refusal(
        address=UPLOAD_BYTES,
        status=400,
        headers={"x-filename": "", "x-content-type": ""},
        wrong={"#x-filename": "required", "#x-content-type": "required"},
    ),
    Refusal(address=UPLOAD_BYTES, status=422, content=b"", wrong={"": "required"}),
    Refusal(address=READ, status=416, headers={"Range": "bytes=999999-"}),
    Refusal(
        address=READ,
        status=502,
        before=a_file_that_only_the_platform_has,
        env="live",
        meta={"upstreamCode": ...},
    ),
    Refusal(
        status=503,
        retry_after=True,
        proven_by="tests/core/media/test_upload.py::test_a_process_takes_so_many_files_at_once",
    ),
    Refusal(
        status=400,
        proven_by="tests/core/media/test_upload.py::test_a_body_that_stops_arriving_is_given_up",
    ),
]

LIMITS = [
    Limit(
        address=TICKET,
        field="/filename",
        takes=["a", "a" * 255],
        refuses=[("", "too_short"), ("a" * 256, "too_long")],
    ),
    Limit(
        address=TICKET,
        field="/mimeType",
        takes=["a/b", "a/" + "b" * 64],
        refuses=[("a/" + "b" * 119, "too_long"), ("pdf", "wrong_format")],
    ),
    Limit(
        address=UPLOAD,
        field="/filename",
        takes=["a", "a" * 255],
        refuses=[("", "too_short"), ("a" * 256, "too_long")],
    ),
    Limit(
        address=UPLOAD,
        field="/mimeType",
        takes=["a/b", "a/" + "b" * 64],
        refuses=[("a/" + "b" * 119, "too_long"), ("pdf", "wrong_format")],
    ),
    Limit(
        address=UPLOAD,
        field="/dataBase64",
        takes=["AA=="],
        refuses=[("", "too_short"), ("A", "wrong_format")],
    ),
]
