"""The host of a URL that somebody sent."""

from urllib.parse import urlsplit


def host_in(url: str) -> str | None:
    """The host; None where the URL has none, or is none."""
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None
