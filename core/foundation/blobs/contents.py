"""What a file is, read from its bytes: what its sender says of it is only believed for plain text."""

import re

import puremagic

READ = 16_384
"""Bytes at the beginning that decide."""

_OPENS = re.compile(r"image/(png|jpeg|gif|webp|avif|bmp|heic|heif)\Z|application/pdf\Z|(audio|video)/[\w.+-]+(?<!\+xml)\Z")
_TYPE = re.compile(r"[a-z]+/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}\Z")
_MARKUP = re.compile(
    rb"(?is)\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?P<tag>!doctype\s+html|!doctype\s+svg|html|head|body|script|svg|\?xml)"
)
_XML = re.compile(rb"(?is)\s*<\?xml")
_SAME = {"image/jpg": "image/jpeg", "audio/x-wav": "audio/wav", "application/x-pdf": "application/pdf"}


def opens_in_place(mime_type: str) -> bool:
    """Whether a browser may show the type as it is: pictures, PDF, sound and film, nothing that can hold a script."""
    return _OPENS.match(mime_type) is not None


def mime_type_of(content: bytes, *, declared: str) -> str:
    """The media type of a file, without parameters.

    Markup is told first, since it is what must never open in place; then what the first bytes say; then, for
    text, what was declared; else application/octet-stream.
    """
    head = content[:READ].removeprefix(b"\xef\xbb\xbf")
    if found := _MARKUP.match(head):
        return "image/svg+xml" if b"svg" in found["tag"].lower() else "text/html"
    if _XML.match(head):
        return "image/svg+xml" if b"<svg" in head.lower() else "application/xml"
    if known := _by_signature(head):
        return known
    declared = declared.partition(";")[0].strip().lower()
    if _is_text(content) and (declared.startswith("text/") or declared in ("application/json",)):
        return declared if _TYPE.match(declared) and "html" not in declared and "xml" not in declared else "text/plain"
    return "text/plain" if content and _is_text(content) else "application/octet-stream"


def _by_signature(head: bytes) -> str | None:
    try:
        found = puremagic.magic_string(head)
    except (puremagic.PureError, ValueError):
        return None
    for match in found:
        name = _SAME.get(match.mime_type, match.mime_type)
        if _TYPE.match(name) and not name.startswith("text/"):
            return name
    return None


def _is_text(content: bytes) -> bool:
    if b"\x00" in content:
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
