"""Where browsers are sent: the same place, spelt so that it can stand in a header."""

import pytest

from core.short_links.destination import destination_of


@pytest.mark.parametrize(
    ("url", "destination"),
    [
        ("https://a.com/x?y=z#w", "https://a.com/x?y=z#w"),
        ("HTTPS://A.com/X", "https://a.com/X"),
        ("https://a.com", "https://a.com"),
        ("www.a.com/x", "http://www.a.com/x"),
        ("www.a.com/?to=https://b.com", "http://www.a.com/?to=https://b.com"),
        ("www.a.com?to=https://b.com", "http://www.a.com?to=https://b.com"),
        ("https://a.com:8443/x", "https://a.com:8443/x"),
        ("https://u:w@a.com/@x:y", "https://u:w@a.com/@x:y"),
        # What is encoded stays so, and every reserved sign keeps its meaning.
        ("https://a.com/%2F%20?a=%26&b=1;2,3", "https://a.com/%2F%20?a=%26&b=1;2,3"),
        ("https://a.com/100%", "https://a.com/100%"),
        ("https://a.com/!$&'()*+,;=:@-._~[]", "https://a.com/!$&'()*+,;=:@-._~[]"),
        # Beyond ASCII: names by IDNA, the rest in UTF-8.
        ("https://Bücher.de/ü?é#ó", "https://xn--bcher-kva.de/%C3%BC?%C3%A9#%C3%B3"),
        ("https://日本語.jp", "https://xn--wgv71a119e.jp"),
        # What a finder would never hand over, and a header must never carry.
        ("https://a.com/\r\nSet-Cookie: a=b", "https://a.com/%0D%0ASet-Cookie:%20a=b"),
        ("https://a.com\r\nSet-Cookie/", "https://a.com%0D%0Aset-cookie/"),
        ("https://a.com/\"><'\\`{|}^\x00", "https://a.com/%22%3E%3C'%5C%60%7B%7C%7D%5E%00"),
        ("https://a\n@a.com:8\n0/", "https://a%0A@a.com:8%0A0/"),
        ("javascript:alert(1)", "http://javascript:alert%281%29"),
    ],
)
def test_the_place_stays_and_the_spelling_is_safe(url: str, destination: str) -> None:
    assert destination_of(url) == destination
