"""Tracked links in an outgoing e-mail: in its text as in an SMS, in its HTML where one clicks."""

import html
import re

from core.foundation.ids import random_base62
from core.short_links.models import CODE_LENGTH
from core.short_links.shorten import PlannedLink, short_url
from core.short_links.urls_in_text import replace_urls

# Bounded and without overlap: the time is linear in the HTML, however hostile. A tag that is odder
# than this keeps its address: a link that works uncounted beats one that is broken.
_TAG = re.compile(r"<(?:a|area)\s[^<>]{1,8192}>", re.IGNORECASE)
_HREF = re.compile(
    r"""(?<=[\s"'])href\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+))""", re.IGNORECASE
)
_WEB = re.compile(r"\s*https?://[^\s/]", re.IGNORECASE)


class Links:
    """The links of one e-mail: the same address in both parts is one link."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._codes: dict[str, str] = {}

    def in_text(self, text: str) -> str:
        """The text with short links."""
        return replace_urls(text, self._short)

    def in_html(self, markup: str) -> str:
        """The HTML with short links behind everything that can be clicked."""
        return _TAG.sub(lambda tag: _HREF.sub(self._href, tag[0], count=1), markup)

    @property
    def planned(self) -> tuple[PlannedLink, ...]:
        """The links in the order of their first appearance, to be stored with the message."""
        return tuple(PlannedLink(code, url) for url, code in self._codes.items())

    def _href(self, found: re.Match[str]) -> str:
        url = html.unescape(next(value for value in found.groups() if value is not None))
        return f'href="{self._short(url.strip())}"' if _WEB.match(url) else found[0]

    def _short(self, url: str) -> str:
        code = self._codes.get(url) or self._codes.setdefault(url, random_base62(CODE_LENGTH))
        return short_url(self._base_url, code)
