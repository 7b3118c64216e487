"""`GET /account` and the files that it loads."""

from pathlib import Path

from rest_api.support.static_pages import StaticPage

STATIC = Path(__file__).with_name("static")
FILES = ("page.css", "page.js")

# The token stands behind `#`, so that only the page itself learns it.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)

routes = StaticPage(
    STATIC,
    address="/account",
    html="page.html",
    files=FILES,
    policy=POLICY,
    headers={"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow"},
).routes
