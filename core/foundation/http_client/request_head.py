"""Request head: where requests to one URL go, and the line and headers that they begin with."""

from collections.abc import Mapping
from typing import NamedTuple

from yarl import URL


class HttpOrigin(NamedTuple):
    """What a connection leads to, as it is written in a URL: the host is a name or an address."""

    encrypted: bool
    host: str
    port: int


class Route:
    """Where requests to one URL go, and what all of them begin with."""

    __slots__ = ("_host", "_path", "_usual", "_usual_text", "origin")

    def __init__(self, url: URL, headers: Mapping[str, str]) -> None:
        """`headers` go with every request that does not name them itself."""
        self.origin = HttpOrigin(url.scheme == "https", url.raw_host or "", url.port or 0)
        self._path = url.raw_path_qs
        usual = {"Host": url.host_port_subcomponent or "", **headers}
        self._usual = {name.lower(): f"{name}: {value}\r\n" for name, value in usual.items()}
        self._usual_text = "".join(self._usual.values())

    def head(self, method: str, headers: Mapping[str, str], length: int | None) -> bytes:
        """Request line and headers; `length` is that of the body, None where there is none.

        Raises ValueError for a line break in a header.
        """
        given = {name.lower(): f"{name}: {value}\r\n" for name, value in headers.items()}
        given.pop("content-length", None)
        usual, lines = self._usual_text, len(self._usual)
        if not self._usual.keys().isdisjoint(given):
            kept = [line for name, line in self._usual.items() if name not in given]
            usual, lines = "".join(kept), len(kept)
        size = "" if length is None else f"Content-Length: {length}\r\n"
        text = f"{method} {self._path} HTTP/1.1\r\n{usual}{''.join(given.values())}{size}\r\n"
        breaks = lines + len(given) + (2 if length is None else 3)
        if not text.count("\r") == text.count("\n") == breaks or "\0" in text:
            raise ValueError("a header must not contain a line break")
        return text.encode()
