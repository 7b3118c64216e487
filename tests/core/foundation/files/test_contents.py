"""What a file is comes from its bytes."""

import puremagic
import pytest

from core.foundation.files import (
    READ,
    UNKNOWN,
    Served,
    mime_type_of,
    opens_in_place,
    read_file_name,
)
from tests.support.counted import counted

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + b"\x00" * 40
MP4 = b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"
AVIF = b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf"
ZIP = b"PK\x03\x04\x14\x00\x00\x00" + b"\x00" * 40
OFFICE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.mark.parametrize(
    ("content", "declared", "found"),
    [
        (PNG, "text/html", "image/png"),
        (b"%PDF-1.7\n%\xe2\xe3", "image/png", "application/pdf"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01" + b"\x00" * 40, "image/jpg", "image/jpeg"),
        (b"RIFF\x24\x00\x00\x00WEBPVP8 " + b"\x00" * 20, "x/y", "image/webp"),
        (MP4, "x/y", "video/mp4"),
        (AVIF, "x/y", "image/avif"),
        (ZIP, OFFICE, OFFICE),
        (ZIP, "image/png", "application/zip"),
        (b"a;b\n1;2\n", "text/csv; charset=utf-8", "text/csv"),
        ("Olá".encode(), "image/png", "text/plain"),
        (b"GIF89a/*js*/", "image/gif", "text/plain"),
        (b"\x00\x01\x02\x03nothing known", "text/plain", "application/octet-stream"),
        (b"", "text/csv", "text/csv"),
    ],
)
def test_the_type_is_read_from_the_bytes(content: bytes, declared: str, found: str) -> None:
    assert mime_type_of(content, declared=declared) == found


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"<!DOCTYPE html><p>", "text/html"),
        (b"\xef\xbb\xbf  \n<!-- x --><script>alert(1)</script>", "text/html"),
        (b"<html>", "text/html"),
        (b"<!--><html>", "text/html"),
        (b"<!---><html>", "text/html"),
        (b"<!-- --!><html>", "text/html"),
        (b"<!----><?xml version='1.0'?><!-- > -- -->\n<svg/>", "image/svg+xml"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>", "image/svg+xml"),
        (b"<?xml version='1.0'?>\n<svg/>", "image/svg+xml"),
        (b"<?xml version='1.0'?>\n<nota/>", "application/xml"),
    ],
)
def test_markup_is_told_whatever_it_was_declared_to_be_and_never_opens_in_place(
    content: bytes, found: str
) -> None:
    assert mime_type_of(content, declared="image/png") == found
    assert not opens_in_place(found)


@pytest.mark.parametrize(
    "part",
    [
        b"<!---->",
        b"<!-- -->",
        b"<!--",
        b"<!-- ",
        b"<?xml>",
        b"<?xml",
        b" ",
        b"\n<!-->",
        b"<",
        b"<!",
        b"--",
        b">",
    ],
)
@pytest.mark.parametrize("end", [b"", b"<", b"<html", b"<p>", b"\x00", b"\xff"])
def test_a_beginning_that_repeats_itself_takes_no_longer_than_another(
    part: bytes, end: bytes
) -> None:
    with counted("svc_files_unexamined") as count:
        mime_type_of((part * READ)[: READ - len(end)] + end, declared="x/y")
        mime_type_of(part * 100 + end, declared="x/y")

    assert count == {}


def test_what_cannot_be_told_in_time_is_of_no_known_type(monkeypatch: pytest.MonkeyPatch) -> None:
    def for_ever(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(puremagic, "magic_string", for_ever)
    with counted("svc_files_unexamined") as count:
        assert mime_type_of(PNG, declared="image/png") == UNKNOWN

    assert count == {("svc_files_unexamined_total",): 1}


@pytest.mark.parametrize(
    "name", ["image/png", "image/heic", "application/pdf", "audio/mpeg", "video/mp4"]
)
def test_pictures_pdf_sound_and_film_open_in_place(name: str) -> None:
    assert opens_in_place(name)
    assert Served("a", name).content_type == name


@pytest.mark.parametrize(
    "name", ["text/html", "image/svg+xml", "audio/x+xml", "text/plain", "application/zip", ""]
)
def test_anything_else_leaves_as_an_attachment_of_bytes(name: str) -> None:
    served = Served("a.bin", name)

    assert served.content_type == "application/octet-stream"
    assert served.disposition.startswith("attachment;")


def test_a_name_is_told_to_old_and_to_new_readers() -> None:
    assert Served('vo"ção.pdf', "application/pdf").disposition == (
        "inline; filename=\"vo___o.pdf\"; filename*=UTF-8''vo%22%C3%A7%C3%A3o.pdf"
    )


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        ("proposta.pdf", "proposta.pdf"),
        ("vota%C3%A7%C3%A3o.pdf", "votação.pdf"),
        ("C:\\fakepath\\x.pdf", "x.pdf"),
        ("../../etc/passwd", "passwd"),
        ("a%0d%0ab", "ab"),
        ("x%E2%80%AEfdp.exe", "xfdp.exe"),
        ("a" * 255, "a" * 255),
        ("a" * 256, None),
        ("", None),
        ("  ", None),
        ("a/..", None),
        ("%ff", None),
    ],
)
def test_a_file_name_is_a_name_and_no_path(sent: str, name: str | None) -> None:
    assert read_file_name(sent) == name
