"""Parsing lists of servers: `one:5432,[::1]:5433,/folder/of/a/socket`."""

import re
from urllib.parse import unquote

IPV6 = re.compile(r"\[([^\[\]]+)\](?::(.*))?")
NAME = re.compile(r"([^:\[\]]+)(?::(.*))?")


def servers_of(text: str, *, default_port: int) -> tuple[tuple[str, int], ...]:
    """Name, address or socket folder of each server, and its port. Raises ValueError."""
    return tuple(_server(server, default_port) for server in text.split(","))


def port_of(text: str) -> int:
    """A port in decimal digits. Raises ValueError."""
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) <= 65_535):
        raise ValueError("a port is a number from 1 to 65535")
    return int(text)


def _server(text: str, default_port: int) -> tuple[str, int]:
    if text.startswith("/"):
        return text, default_port
    if text.count(":") > 1 and "[" not in text:  # as `host=` is written, where no port follows
        return text, default_port
    found = IPV6.fullmatch(text) or NAME.fullmatch(text)
    if found is None:
        raise ValueError("a server is written host or host:port")
    return unquote(found[1]), port_of(found[2]) if found[2] else default_port
