"""Error catalogue: refusals of media."""

from core.foundation.errors import BadRequest, FieldError, RangeNotSatisfiable
from core.media import EmptyFile, PlatformFailed, UploadsBusy, UploadStalled
from core.messaging import NoProvider
from rest_api.media.base64_text import NotBase64
from rest_api.media.bodies import NoJsonFile
from rest_api.problems.error_doc import ErrorDoc, at, with_file_answer
from rest_api.support.broken_requests import EndedEarly

AS_JSON = "POST /numbers/{numberId}/media"
AS_BYTES = "POST /numbers/{numberId}/media/binary"
BY_TICKET = "POST /media/uploads/{ticket}"
UPLOAD = at(AS_JSON, AS_BYTES)

UNREADABLE = (
    ErrorDoc(
        BadRequest(errors=[FieldError("header", "x-filename", "required", "Send the file's name")]),
        "The headers that name the file and its type are missing.",
        "Name it in x-filename and its type in x-content-type; send its bytes as the body.",
        at(AS_BYTES),
    ),
    ErrorDoc(
        NoJsonFile(),
        "The body is announced as something that is no JSON.",
        "Send JSON, or the bytes of the file to `/numbers/{numberId}/media/binary`.",
        at(AS_JSON),
    ),
    ErrorDoc(
        RangeNotSatisfiable(48_213),
        (
            "The header `Range` asks for bytes behind the end of the file; "
            "`Content-Range` tells its length."
        ),
        "Ask for a part that is there, or leave the header out.",
        with_file_answer,
    ),
    ErrorDoc(
        UploadStalled(),
        "No byte of the body came for 30 seconds, or from then on less than 10 kB a "
        "second, or it was not whole after "
        "half an hour. Nothing was stored.",
        "Send the file again, over a faster line.",
        UPLOAD,
    ),
    ErrorDoc(
        EndedEarly(),
        "The connection was closed before the whole body had come. Nothing was stored.",
        "Send the file again.",
        at(AS_JSON, AS_BYTES, BY_TICKET),
    ),
)

INVALID = (
    ErrorDoc(
        NotBase64(),
        "`dataBase64` holds something else than base64, or lacks its padding.",
        (
            "Encode the bytes by RFC 4648, in the alphabet with `+` and `/`; white space "
            "may stand anywhere in it."
        ),
        at(AS_JSON),
    ),
    ErrorDoc(
        EmptyFile(""),
        "The file has no bytes.",
        "Send them as the body.",
        at(AS_BYTES),
    ),
)

UPSTREAM = (
    ErrorDoc(
        PlatformFailed(),
        "The messaging platform did not take the file, or did not give it. Nothing was stored.",
        "Try again later; `meta.upstreamCode` is the platform's own code, where it told one.",
        at(AS_JSON, AS_BYTES, BY_TICKET, "GET /messages/{id}/media"),
    ),
)

UNAVAILABLE = (
    ErrorDoc(
        UploadsBusy(),
        (
            "As many files are arriving as one process takes at once, or one "
            "organization may send at once."
        ),
        "Wait for `Retry-After` and send the file again.",
        UPLOAD,
    ),
    ErrorDoc(
        NoProvider(),
        "No messaging platform is configured in this installation. Nothing was stored.",
        "Use a test key, or have the operator configure one.",
        UPLOAD,
    ),
)
