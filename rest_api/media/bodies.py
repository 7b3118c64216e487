"""The two ways in which a file is sent."""

from collections.abc import AsyncIterator

from starlette.types import Receive

from core.foundation.errors import BadRequest, FieldError, UnsupportedMedia, ValidationFailed
from core.foundation.files import clean_file_name
from core.media import EmptyFile
from rest_api.media.scanner import Scanner
from rest_api.support.requests import Headers
from rest_api.support.streams import pieces_of
from rest_api.support.uploads import NotAFile, is_octets, media_type_of, read_file_headers


class NoJsonFile(UnsupportedMedia):
    default_detail = (
        "Send JSON with Content-Type: application/json; the bytes of a file go to "
        "the same address with /binary."
    )


class JsonFile:
    """A file as JSON: name and type are known when all of it was read."""

    def __init__(self, pieces: AsyncIterator[bytes]) -> None:
        self.name = ""
        self.declared_type = ""
        self._pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        scanner = Scanner()
        async for piece in self._pieces:
            if decoded := scanner.feed(piece):
                yield decoded
        new = scanner.finish()
        name = clean_file_name(new.filename)
        if name is None:
            told = "Send a name of 1 to 255 characters that can be shown"
            raise ValidationFailed(
                errors=[FieldError("pointer", "/filename", "wrong_format", told)]
            )
        self.name, self.declared_type = name, new.mime_type


class BinaryFile:
    """A file as bytes, with name and type in headers."""

    def __init__(self, name: str, declared_type: str, pieces: AsyncIterator[bytes]) -> None:
        self.name = name
        self.declared_type = declared_type
        self._pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        empty = True
        async for piece in self._pieces:
            empty = False
            yield piece
        if empty:
            raise EmptyFile("")


def read_json_file(receive: Receive, headers: Headers, *, limit: int) -> JsonFile:
    """The file of a JSON body. Raises NoJsonFile for what is plainly something else, and
    PayloadTooLarge.
    """
    kind = media_type_of(headers)
    if kind.partition("/")[0] in ("multipart", "image", "audio", "video") or is_octets(headers):
        raise NoJsonFile
    return JsonFile(pieces_of(receive, headers, limit=limit))


def read_binary_file(receive: Receive, headers: Headers, *, limit: int) -> BinaryFile:
    """The file that is the body. Raises NotAFile, PayloadTooLarge, and a refusal that names every
    wrong header.
    """
    if not is_octets(headers):
        raise NotAFile
    name, declared, wrong = read_file_headers(headers)
    if wrong or name is None:
        missing = any(error.code == "required" for error in wrong)
        raise (BadRequest if missing else ValidationFailed)(errors=wrong)
    return BinaryFile(name, declared, pieces_of(receive, headers, limit=limit))


def read_bytes(receive: Receive, headers: Headers, *, limit: int) -> AsyncIterator[bytes]:
    """The bytes of a file whose name is known. Raises NotAFile and PayloadTooLarge."""
    if not is_octets(headers):
        raise NotAFile
    return pieces_of(receive, headers, limit=limit)
