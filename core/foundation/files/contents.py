"""Content-type detection: what a file is, read from its bytes and not from what its sender says."""

import codecs
import re

import puremagic
import structlog

from core.foundation.observability.metrics import Counter
from core.foundation.security.cpu_limit import CpuLimitExceeded, cpu_limit

log = structlog.get_logger()

UNEXAMINED = Counter(
    "svc_files_unexamined_total", "Files whose bytes took too long to tell their type."
)

UNKNOWN = "application/octet-stream"

READ = 16_384
"""Bytes at the beginning that decide."""

_OPENS = re.compile(
    r"image/(png|jpeg|gif|webp|avif|bmp|heic|heif)\Z|application/pdf\Z|(audio|video)/[\w.+-]+(?<!\+xml)\Z"
)
_TYPE = re.compile(r"[a-z]+/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}\Z")
# One after the other, each from where the last one ended: in one pattern, n comments would be read
# in 2^n ways.
_PROLOGUE = re.compile(rb"\s*(?:<\?xml[^>]*>|(?P<comment><!--))", re.IGNORECASE)
_COMMENT_ENDS = re.compile(rb"--!?>")
_MARKUP = re.compile(
    rb"\s*<(?P<tag>!doctype\s+html|!doctype\s+svg|html|head|body|script|svg)", re.IGNORECASE
)
_TEXTS = {
    "text/plain",
    "text/csv",
    "text/markdown",
    "text/calendar",
    "text/vcard",
    "application/json",
}
_XML = re.compile(rb"(?is)\s*<\?xml")
_SAME = {
    "image/jpg": "image/jpeg",
    "image/x-ms-bmp": "image/bmp",
    "audio/wave": "audio/wav",
    "audio/x-wav": "audio/wav",
    "application/ogg": "audio/ogg",
}
"""Other names of types that browsers know."""


def opens_in_place(mime_type: str) -> bool:
    """Whether a browser may show the type as it is: pictures, PDF, sound and film, nothing that can
    hold a script.
    """
    return _OPENS.match(mime_type) is not None


def mime_type_of(content: bytes, *, declared: str, whole: bool = True) -> str:
    """The media type of a file, without parameters. `whole`: the content is all of it, not its
    beginning alone.

    Markup comes first, since it must never open in place. Then what the first bytes say; where they
    fit several types, the declared one if it is among them. Text of a kind that has no signature is
    what it was declared to be. What cannot be told in time is UNKNOWN.
    """
    head = content[:READ]
    try:
        with cpu_limit():
            return _told(
                head,
                declared.partition(";")[0].strip().lower(),
                whole=whole and len(content) <= READ,
            )
    except CpuLimitExceeded:
        log.warning("file_unexamined")
        UNEXAMINED.labels().add()
        return UNKNOWN


def _told(content: bytes, declared: str, *, whole: bool) -> str:
    head = content.removeprefix(b"\xef\xbb\xbf")
    if found := _MARKUP.match(head, _prologue_end(head)):
        return "image/svg+xml" if b"svg" in found["tag"].lower() else "text/html"
    if _XML.match(head):
        return "image/svg+xml" if b"<svg" in head.lower() else "application/xml"
    if head.startswith(b"%PDF-"):
        return "application/pdf"
    if _is_text(content, whole=whole):
        return declared if declared in _TEXTS else "text/plain"
    return _by_signature(head, declared) or UNKNOWN


def _prologue_end(head: bytes) -> int:
    """Where the declaration of XML and the comments at the beginning are over."""
    end = 0
    while part := _PROLOGUE.match(head, end):
        last: re.Match[bytes] | None = part
        if part["comment"]:
            # `<!-->` and `<!--->` are whole comments to a browser.
            last = _COMMENT_ENDS.search(head, part.end() - len(b"--"))
        if last is None:
            break
        end = last.end()
    return end


def _by_signature(head: bytes, declared: str) -> str | None:
    if head.startswith(
        b"PK\x03\x04"
    ):  # documents of offices and many others are archives: bytes do not tell them apart
        return (
            declared
            if declared.startswith("application/vnd.") and _TYPE.match(declared)
            else "application/zip"
        )
    if head.startswith(b"#!AMR"):
        return "audio/amr"
    try:
        matches = puremagic.magic_string(head)
    except (puremagic.PureError, ValueError):
        return _by_box(head, declared)
    # The further the bytes that were compared reach, the surer: AVIF begins like MP4.
    surest = sorted(
        matches,
        key=lambda match: (match.offset + len(match.byte_match), match.confidence),
        reverse=True,
    )
    types = [_SAME.get(match.mime_type, match.mime_type) for match in surest if match.mime_type]
    return next((name for name in (declared, *types) if name in types and _TYPE.match(name)), None)


def _by_box(head: bytes, declared: str) -> str | None:
    """Sound and film of a brand that nobody listed: all of them begin with the same box (ISO
    14496-12).
    """
    if head[4:8] != b"ftyp":
        return None
    return declared if declared in ("audio/mp4", "video/3gpp") else "video/mp4"


def _is_text(content: bytes, *, whole: bool) -> bool:
    if b"\x00" in content:
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(content, final=whole)
    except UnicodeDecodeError:
        return False
    return True
