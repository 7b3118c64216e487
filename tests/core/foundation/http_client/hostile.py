"""Addresses that lead where no customer may send us, in every spelling that somebody understands.

One row is what a customer writes, the word of the refusal, and for a name what its name server
answers.
"""
# ruff: noqa: RUF001 - look-alike characters are what an attacker writes

from dataclasses import dataclass

PUBLIC, PUBLIC_V6 = "93.184.215.14", "2606:4700:4700::1111"


@dataclass(frozen=True)
class Hostile:
    """A URL, why it is refused, and the addresses of its name; without those it is refused before
    any look-up.
    """

    url: str
    reason: str = "ssrf_blocked"
    leads: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ascii(self.url).strip("'") + (f" -> {' '.join(self.leads)}" if self.leads else "")


def _hosts(*hosts: str, reason: str = "ssrf_blocked") -> list[Hostile]:
    return [Hostile(f"https://{host}/hook", reason) for host in hosts]


def _urls(*urls: str, reason: str) -> list[Hostile]:
    return [Hostile(url, reason) for url in urls]


LOOPBACK = _hosts(
    "127.0.0.1", "127.0.0.1#@example.com:443@8.8.8.8", "127.0.0.1?@example.com", "127.0.0.1.",
    "127.255.255.254", "127.0.0.1:8443",
    "2130706433", "017700000001", "0x7f000001", "0X7F000001", "127.1", "127.0.1", "0177.0.0.1", "0x7f.0x0.0x0.0x1",
    "0x7f.1", "00000177.0.0.1", "127.000.000.001", "0", "0.0.0.0", "0.1.2.3",
    "[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::1%25lo]", "[::1%lo]", "[::]", "[::%25eth0]",
)  # fmt: skip

V4_INSIDE_V6 = _hosts(
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:FFFF:7F00:0001]", "[::ffff:10.0.0.1]",
    "[::ffff:169.254.169.254]", "[::ffff:8.8.8.8]", "[::ffff:0:127.0.0.1]",  # mapped, and translated by SIIT
    "[::127.0.0.1]", "[::a00:1]",  # compatible
    "[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b::10.0.0.1]", "[64:ff9b::8.8.8.8]",  # NAT64
    "[64:ff9b:1::10.0.0.1]", "[64:ff9b:1:7f00:0:100::]",  # NAT64 of a local prefix
    "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[2002:c0a8:101::1]",  # 6to4
    "[2001:0:4136:e378:8000:63bf:80ff:fffe]", "[2001::1]",  # Teredo
    "[fe80::5efe:127.0.0.1]", "[fd00::5efe:10.0.0.1]",  # ISATAP
)  # fmt: skip

INSIDE = _hosts(
    "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255",
    "167772161", "012.0.0.1", "0xc0a80101", "192.168.257",  # the same, as numbers
    "100.64.0.1", "100.127.255.255", "169.254.0.1", "169.254.255.255",
    "[fc00::1]", "[fdff:ffff::1]", "[fe80::1]", "[fe80::1%25eth0]", "[febf::1]", "[fec0::1]",
    "[2606:4700:4700::1111%25eth0]",  # a zone belongs to this machine, whatever the address
)  # fmt: skip

NOT_UNICAST = _hosts(
    "224.0.0.1", "239.255.255.250", "255.255.255.255", "4294967295", "240.0.0.1", "250.1.2.3",
    "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "198.19.255.255", "192.0.0.1", "192.88.99.1",
    "[ff02::1]", "[ff0e::1]", "[2001:db8::1]", "[3fff::1]", "[2001:2::1]", "[2001:20::1]", "[100::1]", "[5f00::1]",
    "[4000::1]",
)  # fmt: skip

METADATA = _hosts(
    "169.254.169.254", "169.254.170.2", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518",
    "[fd00:ec2::254]", "[fd20:ce::254]", "100.100.100.200", "192.0.0.192", "168.63.129.16",
    "metadata.google.internal", "METADATA.GOOGLE.INTERNAL.", "metadata", "instance-data.ec2.internal",
)  # fmt: skip

NAMES = _hosts(
    "localhost", "LOCALHOST", "LocalHost.", "localhost:8443", "a.localhost", "localhost.localdomain", "ip6-localhost",
    "printer.local", "db.svc.cluster.local", "vault.internal", "vault.INTERNAL.", "redis:6379", "intranet", "_",
    "under_score.internal", "router.home.arpa", "xn--oxa",
)  # fmt: skip

LOOK_ALIKES = _hosts(
    "１２７.０.０.１", "127。0。0。1", "127．0．0．1", "127｡0｡0｡1", "①②⑦.⓪.⓪.①", "𝟭𝟮𝟳.𝟬.𝟬.𝟭", "１２７.1", "⑩.⓪.⓪.①",
    "０ｘ７ｆ.1", "ＬＯＣＡＬＨＯＳＴ", "localhost。", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "localho\u017ft", "a.ⅰnternal",
    "db.ｉｎｔｅｒｎａｌ",
)  # fmt: skip

NO_HOSTS = _hosts(
    "١٢٧.0.0.1",  # Arabic digits before Latin ones
    "loc\u00adalhost", "local\u200bhost", "local\u2060host", "127.0.0.1%00.example.com", "%31%32%37.0.0.1",
    "127.0.0.1%2f.example.com", "127.0.0.1,example.com", "127.0.0.1;example.com", "[::1", "::1", "[127.0.0.1]",
    "[localhost]", "[::ffff:0x7f000001]", "[v1.a]", "127.0.0.1..", ".127.0.0.1", "256.0.0.1", "1.2.3.4.5", "-1",
    reason="invalid_url",
)  # fmt: skip

PARSERS_DISAGREE = _urls(
    "https://example.com@127.0.0.1/", "https://127.0.0.1@example.com/", "https://user:secret@example.com/",
    "https://@127.0.0.1/", "https://:@127.0.0.1/", "https://example.com:443@127.0.0.1/", "https://a%40b@127.0.0.1/",
    "https://example.com\\@127.0.0.1/", "https:\\\\127.0.0.1/",
    "https://127.0.0.1\\.example.com/", "https://127.0.0.1\t.example.com/", "https://exam\tple.com/",
    "https://example.com\n.127.0.0.1/", "https://example.com/\r\nHost: 127.0.0.1", "\thttps://example.com/",
    " https://127.0.0.1/", "https://127.0.0.1 /", "https://127.0.0.1\x00.example.com/", "https://example.com/\x00",
    "https://127.0.0.1\u2028/", "https://example.com/\ud800", "https:127.0.0.1", "https:/127.0.0.1/",
    "https:///127.0.0.1/", "//127.0.0.1/", "127.0.0.1", "localhost:8080",
    reason="invalid_url",
)  # fmt: skip
SCHEMES = _urls(
    "http://127.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://example.com/", "HTTP://localhost/",
    "ftp://127.0.0.1/", "gopher://127.0.0.1:6379/_FLUSHALL", "ws://127.0.0.1/", "unix://var/run/docker.sock",
    "file://localhost/etc/passwd", "dict://127.0.0.1:11211/stats",
    reason="insecure_scheme",
) + _urls(
    "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "jar:https://127.0.0.1!/", reason="invalid_url",
)  # fmt: skip

PORTS = _hosts(
    *(f"example.com:{port}" for port in (1, 22, 25, 80, 465, 1023)), "93.184.215.14:22", "[2606:4700:4700::1111]:25"
) + _hosts(
    "example.com:0", "example.com:65536", "example.com:99999", "example.com:-1", "example.com:", "example.com:443:80",
    "example.com:0x1bb", "example.com:٤٤٣", "example.com:４４３", "example.com:+443",
    reason="invalid_url",
)  # fmt: skip


def _leads(name: str, *addresses: str) -> Hostile:
    return Hostile(f"https://{name}/hook", leads=addresses)


LEADS_INSIDE = [
    _leads("loopback.example.com", "127.0.0.1"),
    _leads("loopback-six.example.com", "::1"),
    _leads("any.example.com", "0.0.0.0"),
    _leads("private.example.com:8443", "10.1.2.3"),
    _leads("shared.example.com", "100.64.0.9"),
    _leads("link.example.com", "fe80::1%eth0"),
    _leads("local.example.com", "fd12:3456::1"),
    _leads("mapped.example.com", "::ffff:127.0.0.1"),
    _leads("translated.example.com", "64:ff9b::a9fe:a9fe"),
    _leads("sixtofour.example.com", "2002:a00:1::1"),
    _leads("teredo.example.com", "2001:0:4136:e378:8000:63bf:80ff:fffe"),
    _leads("169.254.169.254.nip.example", "169.254.169.254"),
    _leads("metadata.goog", "169.254.169.254"),
    _leads("metadata-six.example.com", "fd00:ec2::254"),
    _leads("multicast.example.com", "224.0.0.251"),
    _leads("broadcast.example.com", "255.255.255.255"),
    _leads("last-is-private.example.com", PUBLIC, "192.168.1.1"),
    _leads("first-is-private.example.com", "192.168.1.1", PUBLIC),
    _leads("six-is-private.example.com", PUBLIC, PUBLIC_V6, "fd00::1"),
    _leads("under_score.example.com", "127.0.0.1"),
    _leads("dot.example.com.", "127.0.0.1"),
    Hostile("https://ação.example/hook", leads=("127.0.0.1",)),
    # Digits that are letters in a name: as a name they may be looked up, and lead nowhere better.
    Hostile("https://١٢٧.٠.٠.١/hook", leads=("127.0.0.1",)),
    Hostile("https://१२७.०.०.१/hook", leads=("127.0.0.1",)),
]

REFUSED_AS_WRITTEN = [
    *LOOPBACK, *V4_INSIDE_V6, *INSIDE, *NOT_UNICAST, *METADATA, *NAMES, *LOOK_ALIKES, *NO_HOSTS, *PARSERS_DISAGREE,
    *SCHEMES, *PORTS,
]  # fmt: skip
HOSTILE = [*REFUSED_AS_WRITTEN, *LEADS_INSIDE]
