"""`GET /docs` and the files that the page loads."""

from pathlib import Path

from rest_api.support.static_pages import StaticPage

STATIC = Path(__file__).with_name("static")
FILES = ("scalar.js", "docs.js", "docs.css", "docs.svg")

# Scalar writes its style sheet into the page; nothing else is let in, and no request gets out.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
    "data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

routes = StaticPage(STATIC, address="/docs", html="docs.html", files=FILES, policy=POLICY).routes
