"""A file as somebody sends it."""

import re
from dataclasses import dataclass
from unicodedata import normalize
from urllib.parse import unquote_to_bytes

MAX_NAME_LENGTH = 255
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Upload:
    """The name and media type that its sender gives it, and its bytes."""

    name: str
    declared_type: str
    content: bytes


def read_file_name(text: str) -> str | None:
    """A name of 1 to 255 characters, percent-decoded, without folders and without what turns or
    breaks a line.

    None when nothing usable is left. A browser that sends `C:\\fakepath\\x.pdf` means x.pdf.
    """
    try:
        return clean_file_name(unquote_to_bytes(text.encode("latin-1")).decode())
    except UnicodeError:
        return None


def clean_file_name(name: str) -> str | None:
    """The same of a name that is text already."""
    name = (
        _UNPRINTABLE.sub("", normalize("NFC", name)).replace("\\", "/").rpartition("/")[2].strip()
    )
    return name if 1 <= len(name) <= MAX_NAME_LENGTH and name not in (".", "..") else None
