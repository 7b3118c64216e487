"""The one JSON object that can be too large for the memory: `{filename, mimeType, dataBase64}`.

What lies in `dataBase64` is decoded as it comes and given away. All the rest, a few hundred bytes,
is kept and read as every other body is, with a mark in place of the file: so fields stand in any
order, and everything that can be wrong with an object is found in the same way and told in the same
words.
"""

import json
import re
from collections.abc import Callable

from core.foundation.errors import FieldError, PayloadTooLarge, ValidationFailed
from core.foundation.validation.inputs import read_body
from core.media import NewMedia
from rest_api.media.base64_text import Base64Text

DATA = "dataBase64"
FIELDS = frozenset(field.alias or name for name, field in NewMedia.model_fields.items())
MAX_AROUND_BYTES = 65_536
"""Bytes beside the file."""
MARK = b"..."

_STRUCTURE = re.compile(rb'["{}\[\],:]')
_IN_TEXT = re.compile(rb'["\\]')

Step = Callable[[bytes, int], int]
"""Reads a piece from a place on, as far as it can tell; answers where it came to."""


class Scanner:
    """Takes the body piece by piece."""

    def __init__(self) -> None:
        self._around = bytearray()
        self._decoded: list[bytes] = []
        self._step: Step = self._outside
        self._base64 = Base64Text()
        self._has_bytes = False
        self._depth = 0
        self._in_key_place = False
        self._text_starts = 0
        self._key: str | None = None
        self._seen: set[str] = set()

    def feed(self, piece: bytes) -> bytes:
        """The bytes of the file in this piece. Raises ValidationFailed and PayloadTooLarge."""
        at = 0
        while at < len(piece):
            at = self._step(piece, at)
        decoded = b"".join(self._decoded)
        self._decoded.clear()
        return decoded

    def finish(self) -> NewMedia:
        """What stood beside the file. Raises BadRequest and ValidationFailed, with every field that
        is wrong.
        """
        return read_body(NewMedia, bytes(self._around))

    def _outside(self, piece: bytes, at: int) -> int:
        found = _STRUCTURE.search(piece, at)
        after = found.end() if found else len(piece)
        self._keep(piece[at:after])
        match found and found[0]:
            case b'"':
                is_file = self._depth == 1 and not self._in_key_place and self._key == DATA
                self._step = self._in_file if is_file else self._in_text
                self._text_starts = len(self._around) - 1
            case b"{" | b"[":
                self._depth += 1
                self._in_key_place = self._depth == 1 and piece[after - 1 : after] == b"{"
            case b"}" | b"]":
                self._depth -= 1
            case b"," if self._depth == 1:
                self._in_key_place, self._key = True, None
            case b":" if self._depth == 1:
                self._in_key_place = False
        return after

    def _in_text(self, piece: bytes, at: int) -> int:
        found = _IN_TEXT.search(piece, at)
        after = found.end() if found else len(piece)
        self._keep(piece[at:after])
        if found and found[0] == b"\\":
            self._step = self._behind_backslash
        elif found:
            self._step = self._outside
            if self._depth == 1 and self._in_key_place:
                self._note_key(bytes(self._around[self._text_starts :]))
        return after

    def _behind_backslash(self, piece: bytes, at: int) -> int:
        self._keep(piece[at : at + 1])
        self._step = self._in_text
        return at + 1

    def _in_file(self, piece: bytes, at: int) -> int:
        end = piece.find(b'"', at)
        self._take(piece[at:] if end < 0 else piece[at:end])
        if end < 0:
            return len(piece)
        self._base64.finish()
        self._keep((MARK if self._has_bytes else b"") + b'"')
        self._key = None
        self._step = self._outside
        return end + 1

    def _take(self, text: bytes) -> None:
        decoded = self._base64.feed(text)
        if decoded:
            self._has_bytes = True
            self._decoded.append(decoded)

    def _keep(self, part: bytes) -> None:
        self._around += part
        if len(self._around) > MAX_AROUND_BYTES:
            raise PayloadTooLarge

    def _note_key(self, text: bytes) -> None:
        try:
            key = json.loads(text)
        except ValueError:  # the whole is looked at in the end
            return
        if key in self._seen and key in FIELDS:
            raise ValidationFailed(
                errors=[FieldError("pointer", f"/{key}", "repeated", "Send the field once")]
            )
        self._seen.add(key)
        self._key = key
