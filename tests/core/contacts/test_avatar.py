"""Pictures: an address on the web, or a small picture inside the record."""

import pytest

from core.foundation.errors import ValidationFailed
from tests.factories.contacts import a_new_contact

INLINE = "data:image/png;base64,"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/ana.png",
        "HTTP://example.com",
        "https://exämple.com/ä?b=1#c",
        "https://[2001:db8::7]/x",
        "https://example.com/" + "x" * 2028,
        INLINE + "iVBORw0KGgo=",
        "data:image/JPEG;base64,/9j/",
        "data:image/webp;base64,UklGRg==",
        INLINE + "A" * (65_536 - len(INLINE) - 2),
    ],
)
def test_addresses_and_small_pictures_are_taken(url: str) -> None:
    assert a_new_contact(avatarUrl=url).avatar_url == url


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("", "too_short"),
        ("ana.png", "wrong_format"),
        ("//example.com/ana.png", "wrong_format"),
        ("ftp://example.com/ana.png", "wrong_format"),
        ("javascript:alert(1)", "wrong_format"),
        ("https://", "wrong_format"),
        ("https://exa mple.com", "wrong_format"),
        ("https://[::1", "wrong_format"),
        ('https://example.com/"><script>', "wrong_format"),
        ("https://example.com/" + "x" * 2029, "wrong_format"),
        ("data:,hello", "not_a_picture"),
        ("data:text/html;base64,PGI+", "not_a_picture"),
        ("data:image/svg+xml;base64,PHN2Zz4=", "not_a_picture"),
        (INLINE, "not_a_picture"),
        (INLINE + "not base64!", "not_a_picture"),
        (INLINE + "AAAAA", "not_a_picture"),
        (INLINE + "AAA\u017f", "not_a_picture"),
        (INLINE + "A" * (65_540 - len(INLINE)), "too_long"),
    ],
)
def test_everything_else_is_refused(url: str, code: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        a_new_contact(avatarUrl=url)

    assert [(error.where, error.code) for error in refused.value.errors] == [("/avatarUrl", code)]
