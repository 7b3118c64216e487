"""The page for `GET /graphql` and the files that it loads."""

from pathlib import Path

from rest_api.support.static_pages import StaticPage

STATIC = Path(__file__).with_name("static")
FILES = (
    "graphiql.css",
    "graphiql.js",
    "graphql-ws.js",
    "page.css",
    "page.js",
    "page.svg",
    "react-dom.js",
    "react.js",
)

# GraphiQL's dialogs write a style sheet into the page, and its fonts and images stand in its own.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
    "data:; font-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

PAGE = StaticPage(
    STATIC,
    address="/graphql",
    html="page.html",
    files=FILES,
    policy=POLICY,
    headers={"Vary": "Accept, Accept-Encoding"},
)
