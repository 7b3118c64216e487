"""Pictures of contacts: an address on the web, or a small picture inside the record."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.foundation.validation.hosts import host_in

MAX_INLINE_LENGTH = 64 * 1024
MAX_ADDRESS_LENGTH = 2048

# Pictures made of points; those made of markup (SVG) can carry scripts.
_PICTURE = re.compile(
    r"data:image/(png|jpe?g|gif|webp|bmp|avif);base64,([A-Za-z0-9+/]+={0,2})",
    re.IGNORECASE | re.ASCII,  # else it takes a long s for an s
)
_ADDRESS = re.compile(r"https?://[^\s\\\x00-\x20\x7f-\x9f\"<>]+", re.IGNORECASE)


def _avatar(text: str) -> str:
    if text[:5].lower() == "data:":
        _check_inline(text)
    else:
        _check_address(text)
    return text


def _check_inline(text: str) -> None:
    if len(text) > MAX_INLINE_LENGTH:
        raise PydanticCustomError(
            "too_long", "An inline picture has at most 64 KB; send its address instead"
        )
    picture = _PICTURE.fullmatch(text)
    if picture is None or len(picture[2]) % 4:
        raise PydanticCustomError(
            "not_a_picture", "An inline picture is a PNG, JPEG, GIF, WebP, BMP or AVIF in base64"
        )


def _check_address(text: str) -> None:
    # Python remembers what it splits: a text of any length is not given to it.
    fits = len(text) <= MAX_ADDRESS_LENGTH and _ADDRESS.fullmatch(text)
    if not fits or not host_in(text):
        raise PydanticCustomError(
            "wrong_format", "Send an http(s) address of at most 2,048 characters or a data: URI"
        )


AvatarUrl = Annotated[
    str,
    StringConstraints(min_length=1),
    AfterValidator(_avatar),
    Field(description="A picture: its address, or a raster picture of up to 64 KB as a data: URI"),
]
"""An http(s) address, or a raster picture as a data: URI of at most 64 KB."""
