"""Where a browser is sent for an address that somebody wrote into a text."""

import string
from urllib.parse import quote

from yarl import URL

# What may stand in a Location as it is. Everything else, line breaks first of all, leaves
# percent-encoded; a percent sign stays, so that what was encoded already is not encoded twice.
_VISIBLE = "".join(sorted(set(string.punctuation) - set('"<>\\^`{|}')))
_IN_HOST = "-._~[]:"


def destination_of(url: str) -> str:
    """The address as an absolute ASCII URL that is safe in a header; nothing but its spelling
    changes.

    Without a scheme it is http, as telephones read `www.`: a site that has https redirects there
    itself.
    """
    scheme, rest = _split_scheme(url)
    end = min((at for at in map(rest.find, "/?#") if at >= 0), default=len(rest))
    user, at_sign, place = rest[:end].rpartition("@")
    host, colon, port = place.partition(":")
    name = quote(ascii_host(host) or host, safe=_IN_HOST)
    return f"{scheme}://{quote(user, safe=_VISIBLE)}{at_sign}{name}{colon}{quote(port)}{quote(rest[end:], safe=_VISIBLE)}"


def _split_scheme(url: str) -> tuple[str, str]:
    for scheme in ("https", "http"):
        if url[: len(scheme) + 3].lower() == f"{scheme}://":
            return scheme, url[len(scheme) + 3 :]
    return "http", url


def ascii_host(host: str) -> str | None:
    """A host name in the letters of the DNS (IDNA), or None when it cannot be one."""
    if host.isascii():
        return host.lower()
    try:
        return URL.build(scheme="http", host=host).raw_host
    except ValueError:
        return None
