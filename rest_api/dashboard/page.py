"""`GET /dashboard` and the modules that the page is made of."""

from pathlib import Path

from rest_api.support.static_pages import StaticPage

STATIC = Path(__file__).with_name("static")
FILES = (
    "board.js",
    "chart.js",
    "contacts.js",
    "dom.js",
    "entries.js",
    "feed.js",
    "format.js",
    "gate.js",
    "gateway.js",
    "page.css",
    "page.js",
    "page.svg",
    "panel.js",
    "panels.css",
    "segments.js",
    "session.js",
    "socket.js",
    "texts.js",
    "theme.js",
    "timeline.js",
    "volume.js",
)

# Nothing stands in the page itself, and no script writes markup.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src "
    "'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'"
)

routes = StaticPage(
    STATIC, address="/dashboard", html="page.html", files=FILES, policy=POLICY
).routes
