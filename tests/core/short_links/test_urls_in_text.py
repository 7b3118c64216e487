"""Which parts of a text are addresses, and that no text is expensive to read."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.short_links.destination import destination_of
from core.short_links.urls_in_text import _places, find_urls, replace_urls

FOUND = [
    ("https://example.com", ["https://example.com"]),
    ("http://example.com/a?b=c&d=e#f", ["http://example.com/a?b=c&d=e#f"]),
    ("HTTPS://Example.COM/A", ["HTTPS://Example.COM/A"]),
    ("www.example.com.br/promo", ["www.example.com.br/promo"]),
    ("WWW.example.com", ["WWW.example.com"]),
    ("https://example.com:8443/a", ["https://example.com:8443/a"]),
    ("http://localhost:8000/x http://10.0.0.1/y", ["http://localhost:8000/x", "http://10.0.0.1/y"]),
    ("https://user:word@example.com/x", ["https://user:word@example.com/x"]),
    ("https://my_shop.example.com/", ["https://my_shop.example.com/"]),
    # Two addresses, and the same one twice.
    (
        "https://a.com https://b.com\nhttps://a.com",
        ["https://a.com", "https://b.com", "https://a.com"],
    ),
    (
        "https://a.com/x,https://b.com/y;www.c.com",
        ["https://a.com/x", "https://b.com/y", "www.c.com"],
    ),
    ("https://a.com|https://b.com", ["https://a.com", "https://b.com"]),
    # An address inside an address is a part of it.
    (
        "https://r.com/?to=https://a.com,https://b.com",
        ["https://r.com/?to=https://a.com,https://b.com"],
    ),
    ("https://archive.org/web/https://a.com", ["https://archive.org/web/https://a.com"]),
    ("www.r.com/?to=https://a.com", ["www.r.com/?to=https://a.com"]),
    ("https://medium.com/@ana", ["https://medium.com/@ana"]),
]
PUNCTUATION = [
    ("Veja https://a.com/x.", "https://a.com/x"),
    ("https://a.com/x, depois", "https://a.com/x"),
    ("https://a.com/x; https", "https://a.com/x"),
    ("Já viu https://a.com/x?", "https://a.com/x"),
    ("https://a.com/x!!!", "https://a.com/x"),
    ("https://a.com/x...", "https://a.com/x"),
    ("https://a.com/x: assim", "https://a.com/x"),
    ("https://a.com.", "https://a.com"),
    ("https://a.com?", "https://a.com"),
    ("https://a.com...", "https://a.com"),
    ("https://a.com,oferta", "https://a.com"),
    ("https://a.com:oferta", "https://a.com"),
    ("https://a.com:80oferta", "https://a.com"),
    ("https://a.com/", "https://a.com/"),
    ("https://a.com/x-", "https://a.com/x-"),
    ("https://a.com/x_=", "https://a.com/x_="),
    ("(https://a.com/x)", "https://a.com/x"),
    ("(veja https://a.com/x).", "https://a.com/x"),
    ("https://a.com/x_(y)", "https://a.com/x_(y)"),
    ("(https://a.com/x_(y))", "https://a.com/x_(y)"),
    ("https://a.com/x_(y).", "https://a.com/x_(y)"),
    ("https://a.com/?id[]=1", "https://a.com/?id[]=1"),
    ("https://a.com/?id[]", "https://a.com/?id[]"),
    ("[texto](https://a.com/x)", "https://a.com/x"),
    ("*https://a.com/x*", "https://a.com/x"),
    ("'https://a.com/x'", "https://a.com/x"),
    ('<a href="https://a.com/x">', "https://a.com/x"),
    ("“https://a.com/x”", "https://a.com/x"),
    ("«https://a.com/x»", "https://a.com/x"),
    ("https://a.com/x…", "https://a.com/x"),
    ("https://a.com/x。次", "https://a.com/x"),
    ("https://a.com/x🎉", "https://a.com/x"),
    ("https://a.com/x❤️", "https://a.com/x"),
    ("https://a.com/x\u00a0y", "https://a.com/x"),
    ("https://a.com/x\u200by", "https://a.com/x"),
    ("https://a.com/x\u202ey", "https://a.com/x"),
    ("Site:www.a.com", "www.a.com"),
    ("link=https://a.com", "https://a.com"),
    ("-www.a.com", "www.a.com"),
]
BEYOND_ASCII = [
    ("https://bücher.de/ü", "https://bücher.de/ü"),
    ("https://promoção.com.br/ação?é=ó", "https://promoção.com.br/ação?é=ó"),
    ("https://हिन्दी.भारत/हिन्दी", "https://हिन्दी.भारत/हिन्दी"),
    ("https://日本語.jp/道", "https://日本語.jp/道"),
    ("https://e\u0301.com/e\u0301", "https://e\u0301.com/e\u0301"),
    ("www.maçã.com.br", "www.maçã.com.br"),
]
LEFT_ALONE = [
    "",
    "nothing here",
    "example.com",
    "Fim.Comece",
    "ana@example.com",
    "ana@www.example.com",
    "www.ana@example.com",
    "www.ana.silva@example.com",
    "www.ana.silva+x@example.com",
    "mailto:ana@example.com",
    "ftp://example.com",
    "ftp://www.example.com",
    "javascript://www.example.com",
    "abc-www.example.com",
    "my.www.example.com",
    "xhttps://example.com",
    "http:// example.com",
    "http://",
    "https://.",
    "https://-a.com/x",
    "https://a..com/x",
    f"https://{'a' * 64}.com",
    f"https://{'a.' * 150}com",
    "https://a.com:99999/",
    "http\u017f://a.com",  # a long s is no s
    "www.x",
    "www.3.14",
    "www...",
    "wwww.example.com",
]


@pytest.mark.parametrize(("text", "urls"), FOUND)
def test_addresses_are_found(text: str, urls: list[str]) -> None:
    assert find_urls(text) == urls


@pytest.mark.parametrize(("text", "url"), PUNCTUATION)
def test_the_marks_of_the_sentence_do_not_belong_to_the_address(text: str, url: str) -> None:
    assert find_urls(text) == [url]


@pytest.mark.parametrize(("text", "url"), BEYOND_ASCII)
def test_addresses_may_be_written_in_any_script(text: str, url: str) -> None:
    assert find_urls(text) == [url]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_is_no_address_stays_as_it_is(text: str) -> None:
    assert replace_urls(text, lambda _: "REPLACED") == text


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("Olá! Veja https://a.com/x. Dúvidas: www.b.com 😀", "Olá! Veja <>. Dúvidas: <> 😀"),
        ("(https://a.com),ana@b.com", "(<>),ana@b.com"),
        ("https://a.com/x\r\nhttps://b.com", "<>\r\n<>"),
    ],
)
def test_only_the_addresses_are_replaced(text: str, replaced: str) -> None:
    assert replace_urls(text, lambda _: "<>") == replaced


# Pieces of which hostile and ordinary texts are made.
PIECES = st.sampled_from(
    [
        *"./:@?#()[],;!-_ %&é🎉\n\x00\u200b",
        "http://",
        "https://",
        "www.",
        "a",
        "example.com",
        ":80",
        "\u0301",
        "⑴",
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=30).map("".join))


@given(TEXTS)
def test_nothing_but_addresses_is_ever_touched(text: str) -> None:
    assert replace_urls(text, lambda url: url) == text


@given(TEXTS)
def test_every_address_that_is_found_can_stand_in_a_header(text: str) -> None:
    for url in find_urls(text):
        destination = destination_of(url)
        assert destination.isascii()
        assert destination.isprintable()
        assert " " not in destination
        assert destination.startswith(("http://", "https://"))


@given(TEXTS)
def test_no_letter_ever_stands_right_behind_an_address(text: str) -> None:
    """It would be read as a part of the code."""
    for _, end in _places(text):
        behind = text[end : end + 1]
        assert not (behind.isascii() and behind.isalnum())


@pytest.mark.parametrize(
    "hostile",
    [
        lambda n: "www." * n,
        lambda n: "http://" * n,
        lambda n: "http://!" * n,
        lambda n: "http://a/," * n,
        lambda n: "http://a/🎉" * n,
        lambda n: "http://a@" * n,
        lambda n: "(www.a.bc+" * n,
        lambda n: "http://é" * n,
        lambda n: "http://a.com/" + ")" * 8 * n,
        lambda n: "http://a.com/" + "(" * 8 * n,
        lambda n: "http://a.com/" + ",;" * 4 * n,
        lambda n: "http://" + "a" * 8 * n,
        lambda n: "http://" + "a." * 4 * n,
        lambda n: "www." + "a.b-" * 2 * n + "@",
    ],
)
def test_a_hostile_text_costs_no_more_than_its_length(hostile: Callable[[int], str]) -> None:
    started = time.process_time()
    find_urls(hostile(20_000))
    assert time.process_time() - started < 2  # a quadratic reading of these takes minutes
