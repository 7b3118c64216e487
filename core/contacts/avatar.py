"""Pictures of contacts: an address on the web, or a small picture inside the record."""

import binascii
import re
from base64 import b64decode
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

LONGEST_INLINE = 64 * 1024
LONGEST_ADDRESS = 2048

_DATA = re.compile(r"data:(image/[a-z0-9.+-]+);base64,([A-Za-z0-9+/]+={0,2})", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s\\\x00-\x20\x7f-\x9f\"<>]+", re.IGNORECASE)

# Pictures made of points. Those made of markup (SVG) can carry scripts.
_BEGINNINGS = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/gif": re.compile(rb"GIF8[79]a"),
    "image/webp": re.compile(rb"RIFF.{4}WEBP", re.DOTALL),
    "image/bmp": re.compile(rb"BM.{4}\x00{4}", re.DOTALL),
    "image/avif": re.compile(rb".{4}ftypavi[fs]", re.DOTALL),
}


def _avatar(text: str) -> str:
    if text[:5].lower() == "data:":
        _check_inline(text)
    else:
        _check_address(text)
    return text


def _check_inline(text: str) -> None:
    if len(text) > LONGEST_INLINE:
        raise PydanticCustomError("string_too_long", "An inline picture has at most 64 KB; send its address instead")
    parts = _DATA.fullmatch(text)
    try:
        picture = b64decode(parts[2], validate=True) if parts else b""
    except binascii.Error:
        picture = b""
    declared = parts[1].lower().replace("image/jpg", "image/jpeg") if parts else ""
    beginning = _BEGINNINGS.get(declared)
    if beginning is None or not beginning.match(picture):
        kinds = "PNG, JPEG, GIF, WebP, BMP or AVIF"
        raise PydanticCustomError(
            "not_a_picture", f"An inline picture is a {kinds} in base64, declared as what its bytes are"
        )


def _check_address(text: str) -> None:
    try:
        host = urlsplit(text).hostname if _ADDRESS.fullmatch(text) else None
    except ValueError:
        host = None
    if not host or len(text) > LONGEST_ADDRESS:
        raise PydanticCustomError("wrong_format", "Send an http(s) address of at most 2,048 characters or a data: URI")


AvatarUrl = Annotated[str, StringConstraints(min_length=1), AfterValidator(_avatar)]
"""An http(s) address, or a raster picture as a data: URI of at most 64 KB."""
