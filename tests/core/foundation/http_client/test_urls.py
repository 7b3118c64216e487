"""What a customer may write as the address of a receiver."""
# ruff: noqa: RUF001, SIM905 - look-alike characters are what an attacker writes; tables read better than lists

from ipaddress import ip_network

import pytest

from core.foundation.http_client import OutboundPolicy, OutboundRefused, check_url

STRICT = OutboundPolicy()
LOCAL = OutboundPolicy(allow_networks=(ip_network("127.0.0.0/8"),))
LOCAL_HTTP = OutboundPolicy(allow_http=True, allow_networks=(ip_network("127.0.0.0/8"),))
HTTP_NOWHERE = OutboundPolicy(allow_http=True)

ACCEPTED = {
    "https://example.com": "https://example.com",
    "https://example.com/hook": "https://example.com/hook",
    "HTTPS://Example.COM/Hook?a=1&b=%2B": "https://example.com/Hook?a=1&b=%2B",
    "https://example.com:443/x": "https://example.com/x",
    "https://example.com:1024/x": "https://example.com:1024/x",
    "https://example.com:65535/x": "https://example.com:65535/x",
    "https://example.com/x#fragment": "https://example.com/x",
    "https://example.com./x": "https://example.com./x",
    "https://example.com/a@b?c@d": "https://example.com/a@b?c@d",
    "https://my_app.example.com/": "https://my_app.example.com/",
    "https://xn--fiqs8s.example/": "https://xn--fiqs8s.example/",
    "https://ação.com.br/olá": "https://xn--ao-siap.com.br/ol%C3%A1",
    "https://8.8.8.8/x": "https://8.8.8.8/x",
    "https://[2606:4700:4700::1111]:8443/x": "https://[2606:4700:4700::1111]:8443/x",
    "https://127.0.0.1.example.com/": "https://127.0.0.1.example.com/",
    "https://0x7f.example.com/": "https://0x7f.example.com/",
    "https://localhost.example.com/": "https://localhost.example.com/",
}

NOT_ABSOLUTE = """
example.com //example.com /hook https: https:example.com https:/example.com https:// https:///hook https://?a
https://#a ://example.com 1https://example.com javascript:alert(1) mailto:a@b.c file:///x data:text/html,x
""".split()

TOO_LONG = [
    "https://example.com/" + "a" * 2_030,
    "https://example.com/" + "é" * 400,
]  # the second once sent

CREDENTIALS = """
https://user@example.com/ https://user:pass@example.com/ https://:@example.com/ https://@example.com
https://8.8.8.8@127.0.0.1/ https://example.com:443@127.0.0.1/ https://a%40b@example.com/
""".split()

# Each is one thing to this parser and another to that one.
AMBIGUOUS = [
    "https://example.com\\@127.0.0.1/",
    "https://example.com/\\x",
    "https:\\\\example.com",
    "https://ex\tample.com",
    "https://exam ple.com",
    " https://example.com",
    "https://example.com\n",
    "https://example.com/\r\nX: y",
    "https://example.com/\x00",
    "https://example.com/\x7f",
    "https://example.com/\u2028",
    "https://example.com/\ud800",
    "https://example.com\u00a0/",
    "https://exa\u00admple.com",
    "https://exam\u200bple.com",
    "https://127.0.0.1%25\ud800.9/",
]

BAD_PORTS = """
https://example.com:0/ https://example.com:/ https://example.com:65536/ https://example.com:443:80/
https://example.com:-1/ https://example.com:+443/ https://example.com:4_43/ https://example.com:0x1bb/
https://example.com:٤٤٣/ https://example.com:４４３/ https://example.com:https/
""".split()

BAD_HOSTS = f"""
https://.example.com/ https://example..com/ https://example.com../ https://./ https://*.example.com/
https://-a.com/ https://a-.com/ https://a,b.com/ https://a;b.com/ https://a"b.com/ https://a|b.com/ https://a$b.com/
https://exa%6dple.com/ https://example.com%00/ https://%31%32%37.0.0.1/
https://{"a" * 64}.com/ https://{"a." * 127}com/
https://1.2.3.4.5/ https://256.1.1.1/ https://0x100000000/ https://08.1.1.1/ https://example.1/
https://[v1.a]/ https://[example.com]/ https://[127.0.0.1]/ https://[]/ https://[::1/ https://::1/ https://[::g]/
https://[::1]x/ https://x[::1]/ https://[1:2]/
""".split()

INSECURE = """
http://example.com/ HTTP://example.com http://8.8.8.8/ ftp://example.com/ ws://example.com/ wss://example.com/
gopher://127.0.0.1:6379/_x file://host/x httpss://example.com/ unix://x/ tcp://example.com/
""".split()

# Literal addresses, in every spelling that some library understands: short, decimal, octal,
# hexadecimal.
NUMBERS = """
https://127.0.0.1/ https://127.0.0.1:8443/ https://127.0.0.1./ https://127.1/ https://127.0.1/
https://2130706433/ https://017700000001/ https://0x7f000001/ https://0x7f.1/ https://0X7F.0.0.1/
https://0177.0.0.1/ https://0177.1/ https://127.0.0.01/ https://00000177.0.0.1/ https://0/ https://0.0.0.0/ https://1/
https://10.0.0.1/ https://010.8.8.8/ https://192.168.1.1/ https://172.16.0.1/ https://169.254.169.254/latest
https://2852039166/ https://0xa9fea9fe/ https://0251.0376.0251.0376/ https://169.254.43518/
https://100.100.100.200/ https://168.63.129.16/ https://255.255.255.255/ https://224.0.0.1/ https://134744072/
""".split()

LOOK_ALIKES = """
https://１２７.０.０.１/ https://127。0。0。1/ https://127．0．0．1/ https://127｡0｡0｡1/ https://①②⑦.⓪.⓪.①/
https://𝟭𝟮𝟳.𝟬.𝟬.𝟭/ https://１２７.1/ https://⑩.⓪.⓪.①/ https://ＬＯＣＡＬＨＯＳＴ/ https://localhost。/
""".split()

IPV6 = """
https://[::1]/ https://[::]/ https://[0:0:0:0:0:0:0:1]/ https://[::127.0.0.1]/ https://[::ffff:127.0.0.1]/
https://[::ffff:7f00:1]/ https://[0:0:0:0:0:FFFF:7F00:0001]/ https://[::ffff:169.254.169.254]/
https://[64:ff9b::127.0.0.1]/ https://[2002:7f00:1::]/ https://[2001:db8::1]/ https://[2001::1]/
https://[fc00::1]/ https://[fd00:ec2::254]/ https://[fe80::1]/ https://[fec0::1]/ https://[ff02::1]/
https://[fe80::1%25eth0]/ https://[fe80::1%eth0]/ https://[::1%25lo]/ https://[2606:4700:4700::1111%251]/
""".split()

NAMES_INSIDE = """
https://localhost/ https://LOCALHOST./ https://a.localhost/ https://localhost.localdomain/ https://printer.local/
https://intranet/ https://redis:6379/ https://metadata.google.internal/ https://db.svc.cluster.local/
https://router.home.arpa/
""".split()

PORTS_OF_OTHERS = """
https://example.com:22/ https://example.com:25/ https://example.com:80/ https://example.com:1023/
""".split()


def refusal(url: str, policy: OutboundPolicy = STRICT) -> str | None:
    try:
        check_url(url, policy)
    except OutboundRefused as refused:
        return refused.reason
    return None


@pytest.mark.parametrize("url", ACCEPTED)
def test_an_accepted_url_is_returned_as_it_will_be_requested(url: str) -> None:
    assert check_url(url, STRICT) == ACCEPTED[url]
    assert check_url(ACCEPTED[url], STRICT) == ACCEPTED[url]


@pytest.mark.parametrize(
    "url", ["", " ", *NOT_ABSOLUTE, *TOO_LONG, *CREDENTIALS, *AMBIGUOUS, *BAD_PORTS, *BAD_HOSTS]
)
def test_what_is_no_clear_url_is_invalid(url: str) -> None:
    assert refusal(url) == refusal(url, LOCAL_HTTP) == "invalid_url"


@pytest.mark.parametrize("url", [*INSECURE, "http://localhost/", "http://127.0.0.1/"])
def test_anything_but_https_is_insecure(url: str) -> None:
    assert refusal(url) == refusal(url, LOCAL) == refusal(url, HTTP_NOWHERE) == "insecure_scheme"


@pytest.mark.parametrize("url", NUMBERS + LOOK_ALIKES + IPV6 + NAMES_INSIDE + PORTS_OF_OTHERS)
def test_what_leads_inside_is_blocked(url: str) -> None:
    assert refusal(url) == "ssrf_blocked"


@pytest.mark.parametrize(
    "url",
    ["https://127.0.0.1/", "https://localhost/", "https://receiver:8443/", "https://a.local/"],
)
def test_allowed_networks_admit_their_addresses_and_leave_names_to_the_connection(url: str) -> None:
    assert refusal(url, LOCAL) is None


@pytest.mark.parametrize(
    "url", ["https://10.0.0.1/", "https://127.1/", "https://[::2]/", "https://[::ffff:127.0.0.1]/"]
)
def test_allowed_networks_admit_nothing_else(url: str) -> None:
    assert refusal(url, LOCAL_HTTP) == "ssrf_blocked"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1/", None),
        ("http://127.0.0.1:8080/", None),
        ("http://localhost:8080/", None),
        ("http://example.com/", None),  # judged by its addresses when it is connected to
        ("http://8.8.8.8/", "insecure_scheme"),
        ("http://10.0.0.1/", "ssrf_blocked"),
        ("http://127.0.0.1:443/", "ssrf_blocked"),
        ("http://127.0.0.1:22/", "ssrf_blocked"),
        ("ftp://127.0.0.1/", "insecure_scheme"),
    ],
)
def test_http_is_for_allowed_networks(url: str, expected: str | None) -> None:
    assert refusal(url, LOCAL_HTTP) == expected


@pytest.mark.parametrize("url", CREDENTIALS)
def test_credentials_are_named_as_the_reason(url: str) -> None:
    with pytest.raises(OutboundRefused, match="credentials"):
        check_url(url, STRICT)


@pytest.mark.parametrize("url", CREDENTIALS + BAD_PORTS + INSECURE + NUMBERS + NAMES_INSIDE)
def test_a_refusal_says_what_to_do_without_repeating_the_url(url: str) -> None:
    with pytest.raises(OutboundRefused) as refused:
        check_url(url, STRICT)
    assert refused.value.message.endswith(".")
    assert url not in refused.value.message
