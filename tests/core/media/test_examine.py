"""What a file is, by its bytes and its length."""

import pytest

from core.media.examine import examine, is_voice
from tests.factories.media import JPEG, MARKUP, MP4, PDF, PNG, opus, webp

MEGABYTE = 1_048_576
KILOBYTE = 1024


@pytest.mark.parametrize(
    ("head", "size", "declared", "mime_type", "kind"),
    [
        (JPEG, 5 * MEGABYTE, "image/jpeg", "image/jpeg", "image"),
        (JPEG, 5 * MEGABYTE + 1, "image/jpeg", "image/jpeg", "document"),
        (PNG, len(PNG), "application/pdf", "image/png", "image"),
        (opus(), 16 * MEGABYTE, "audio/ogg", "audio/ogg", "audio"),
        (opus(), 16 * MEGABYTE + 1, "audio/ogg", "audio/ogg", "document"),
        (b"#!AMR\n" + b"\x3c\x91\x17" * 40, 126, "audio/amr", "audio/amr", "audio"),
        (MP4, 16 * MEGABYTE, "video/mp4", "video/mp4", "video"),
        (MP4, 16 * MEGABYTE + 1, "video/mp4", "video/mp4", "document"),
        (webp(), 100 * KILOBYTE, "image/webp", "image/webp", "sticker"),
        (webp(), 100 * KILOBYTE + 1, "image/webp", "image/webp", "document"),
        (webp(animated=True), 500 * KILOBYTE, "image/webp", "image/webp", "sticker"),
        (webp(animated=True), 500 * KILOBYTE + 1, "image/webp", "image/webp", "document"),
        (PDF, len(PDF), "image/png", "application/pdf", "document"),
        (b"GIF89a" + bytes(40), 46, "image/gif", "image/gif", "document"),
        (MARKUP, len(MARKUP), "image/png", "text/html", "document"),
        (bytes(100), 105_000_000, "video/mp4", "application/octet-stream", "document"),
    ],
)
def test_the_bytes_tell_the_type_and_the_length_the_kind(
    head: bytes, size: int, declared: str, mime_type: str, kind: str
) -> None:
    nature = examine(head, size=size, declared=declared)

    assert (nature.mime_type, nature.kind) == (mime_type, kind)


def test_text_that_is_cut_inside_a_letter_is_still_text() -> None:
    head = "é".encode() * 10
    assert examine(head[:-1], size=1_000, declared="text/csv").mime_type == "text/csv"
    assert examine(head[:-1], size=19, declared="text/csv").mime_type == "application/octet-stream"


def test_mono_opus_in_ogg_is_a_voice_note() -> None:
    assert examine(opus(1), size=300, declared="audio/ogg").voice
    assert not examine(opus(2), size=300, declared="audio/ogg").voice
    assert not examine(
        opus(1), size=17 * MEGABYTE, declared="audio/ogg"
    ).voice  # a document is no voice note


@pytest.mark.parametrize(
    "head", [b"", b"OggS", b"OggS" + bytes(22), b"OggS" + bytes(23) + b"\xff", opus()[:30], MP4]
)
def test_what_is_cut_off_or_something_else_is_no_voice_note(head: bytes) -> None:
    assert not is_voice(head)
