"""Pages that consumers see, who know nothing of us: one plain page each, in their language, with
nothing to load.

They are Portuguese unless English is asked for. Nothing of a request is repeated in one.
"""

import base64
import hashlib
from functools import cache
from html import escape

from starlette.requests import Request
from starlette.responses import Response

from core.foundation.language import Language, language_of_page, translated

STYLE = """
:root { color-scheme: light dark }
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 15vh auto 0; padding: 1rem;
  overflow-wrap: anywhere }
h1 { font-size: 1.5rem; line-height: 1.25 }
button { font: inherit; padding: .7rem 1.2rem; min-height: 2.75rem; max-width: 100% }
"""
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",  # the address is the recipient's own
    "X-Robots-Tag": "noindex, nofollow",
    "X-Content-Type-Options": "nosniff",
}
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; frame-ancestors 'none'; form-action "


def page_for(
    request: Request, title: str, told: str, *, button: str | None = None, status: int = 200
) -> Response:
    """A page in the language of whoever looks. `button`: what the one button says that posts to the
    page's address.
    """
    language = language_of_page(request.headers.get("accept-language"))
    headers = {
        **HEADERS,
        "Content-Security-Policy": POLICY + ("'self'" if button else "'none'"),
        "Content-Language": language,
        "Vary": "Accept-Language",
    }
    return Response(_page(language, title, told, button), status, headers, media_type="text/html")


@cache
def _page(language: Language, title: str, told: str, button: str | None) -> str:
    head, body = escape(translated(title, language)), escape(translated(told, language))
    form = ""
    if button is not None:
        label = escape(translated(button, language))
        form = f'<form method="post"><button name="List-Unsubscribe" value="One-Click">{label}</button></form>\n'
    return (
        f'<!doctype html>\n<html lang="{language}">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{head}</title>\n<style>{STYLE}</style>\n<h1>{head}</h1>\n<p>{body}</p>\n{form}</html>\n"
    )
