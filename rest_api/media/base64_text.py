"""Base64 that comes in pieces, inside a text of JSON."""

import binascii
import re

from core.foundation.errors import FieldError, PayloadTooLarge, ValidationFailed

MAX_CHARACTERS = 140_000_000
"""White space, which is left out, is not counted; the body as a whole has a limit of its own."""

_WHITE = b" \t\r\n\f\v"
_ESCAPES = {rb"\n": b"\n", rb"\r": b"\r", rb"\t": b"\t", rb"\f": b"\f", rb"\/": b"/"}
_BY_NUMBER = re.compile(rb"\\u00([0-7][0-9a-fA-F])")
_HALF_AN_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{0,3})?\Z")


class NotBase64(ValidationFailed):
    default_detail = "The file is not written in base64."

    def __init__(self) -> None:
        told = "Write the bytes in base64 (RFC 4648) with its padding"
        super().__init__(errors=[FieldError("pointer", "/dataBase64", "wrong_format", told)])


class Base64Text:
    """Decodes what lies between the quotes of a JSON text. White space is left out, escaped or not."""

    def __init__(self) -> None:
        self._characters = 0
        self._escape = b""
        self._group = b""
        self._padded = False

    def feed(self, text: bytes) -> bytes:
        """The bytes that can be told so far. Raises NotBase64 and PayloadTooLarge."""
        if self._escape or b"\\" in text:
            text = self._unescaped(self._escape + text)
        text = text.translate(None, _WHITE)
        self._characters += len(text)
        if self._characters > MAX_CHARACTERS:
            raise PayloadTooLarge
        letters = self._group + text
        whole = len(letters) & ~3
        self._group = letters[whole:]
        if not letters:
            return b""
        if self._padded:
            raise NotBase64
        try:
            decoded = binascii.a2b_base64(letters[:whole], strict_mode=True)
        except binascii.Error:
            raise NotBase64 from None
        self._padded = letters[:whole].endswith(b"=")
        return decoded

    def finish(self) -> None:
        """The text is over. Raises NotBase64."""
        if self._group or self._escape:
            raise NotBase64

    def _unescaped(self, text: bytes) -> bytes:
        """With what JSON escapes written out. A backslash that stays is no base64, so nothing else
        is looked for.
        """
        half = _HALF_AN_ESCAPE.search(text)
        self._escape = half[0] if half else b""
        text = text[: len(text) - len(self._escape)]
        for escaped, plain in _ESCAPES.items():
            text = text.replace(escaped, plain)
        return _BY_NUMBER.sub(lambda found: bytes([int(found[1], 16)]), text)
