"""A body that is one file, as bytes, with its name and type in headers."""

import re

from starlette.types import Receive

from core.foundation.errors import FieldError, UnsupportedMedia, ValidationFailed
from core.foundation.files import Upload, read_file_name
from rest_api.support.requests import Headers, read_all

UPLOAD = "application/octet-stream"
MEDIA_TYPE = re.compile(
    r"^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}( *;[ -~]*)?$"
)


class NotAFile(UnsupportedMedia):
    default_detail = f"Send the bytes of the file with Content-Type: {UPLOAD}; its own type goes into x-content-type."


async def read_upload(receive: Receive, headers: Headers, *, limit: int) -> Upload:
    """The file. Raises NotAFile, PayloadTooLarge, or ValidationFailed naming every header that is
    wrong.
    """
    if not is_octets(headers):
        raise NotAFile
    name, declared, wrong = read_file_headers(headers)
    content = b"" if wrong else await read_all(receive, headers, limit=limit)
    if not wrong and not content:
        wrong.append(
            FieldError("pointer", "", "required", "Send the bytes of the file as the body")
        )
    if wrong or name is None:
        raise ValidationFailed(errors=wrong)
    return Upload(name, declared, content)


def media_type_of(headers: Headers) -> str:
    """The media type of the body, without parameters; empty when none is told."""
    return (headers.get(b"content-type") or "").partition(";")[0].strip().lower()


def is_octets(headers: Headers) -> bool:
    """Whether the body is told to be bytes."""
    return media_type_of(headers) == UPLOAD


def read_file_headers(headers: Headers) -> tuple[str | None, str, list[FieldError]]:
    """Name and declared type of the file that is the body, and what is wrong with the headers that
    tell them.
    """
    name = read_file_name(headers.get(b"x-filename") or "")
    declared = (headers.get(b"x-content-type") or "").strip()
    wrong = []
    if name is None:
        message = "Send the file's name, 1 to 255 characters, percent-encoded where it is not ASCII"
        wrong.append(FieldError("header", "x-filename", _fault(headers, b"x-filename"), message))
    if not MEDIA_TYPE.match(declared):
        message = "Send the file's media type, such as application/pdf"
        wrong.append(
            FieldError("header", "x-content-type", _fault(headers, b"x-content-type"), message)
        )
    return name, declared, wrong


def _fault(headers: Headers, name: bytes) -> str:
    return "wrong_format" if headers.get(name) else "required"
