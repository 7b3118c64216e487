"""As much of HTTP/1.1 as a load generator needs."""


def request_bytes(method: str, path: str, headers: dict[str, str], body: bytes) -> bytes:
    """A request as it goes over the wire."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{lines}Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def content_length(head: bytes) -> int:
    """The length of the body, from the bytes of a head that says it."""
    lower = head.lower()
    start = lower.index(b"content-length:") + 15
    end = lower.find(b"\r\n", start)
    return int(lower[start : end if end >= 0 else None])
