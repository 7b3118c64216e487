"""Addresses outside the operation list: no credential of the organization opens or closes them."""

from tests.contract.table import OtherRoute, Refusal

HTML = "text/html"

OTHER_ROUTES = [
    OtherRoute(path="/"),
    OtherRoute(path="/healthz"),
    OtherRoute(path="/readyz"),
    OtherRoute(path="/metrics", media="text/plain"),
    OtherRoute(path="/openapi.json"),
    OtherRoute(path="/docs", media=HTML),
    OtherRoute(
        path="/docs/{digest}/{name}",
        example="/docs/0/nothing.js",
        status=404,
        media="application/problem+json",
    ),
    OtherRoute(
        path="/graphql/{digest}/{name}",
        example="/graphql/0/nothing.js",
        status=404,
        media="application/problem+json",
    ),
    # Nobody is logged in: there is nothing to tell.
    OtherRoute(path="/console/session", status=204, media="", posts=True, puts=True, deletes=True),
    OtherRoute(path="/console", media=HTML),
    OtherRoute(path="/console/{place:path}", example="/console/contatos", media=HTML),
    OtherRoute(
        path="/console/assets/{name}",
        example="/console/assets/nothing.js",
        status=404,
        media="application/problem+json",
    ),
    OtherRoute(path="/dashboard", status=301, media=""),
    OtherRoute(path="/account", media=HTML),
    OtherRoute(
        path="/account/{digest}/{name}",
        example="/account/0/nothing.js",
        status=404,
        media="application/problem+json",
    ),
    OtherRoute(path="/problems", media=HTML),
    OtherRoute(path="/problems/{code}", example="/problems/not-found", media=HTML),
    OtherRoute(
        path="/blobs/{key:path}", example="/blobs/0", status=404, media="application/problem+json"
    ),
    # Told by an app's secret, which the installation of these tests has none of.
    OtherRoute(path="/providers/meta", status=404, media="application/problem+json", posts=True),
    # Told by a notification that Amazon signed, for topics that this installation has none of.
    OtherRoute(
        path="/providers/amazon/events",
        status=404,
        media="application/problem+json",
        posts=True,
        hidden=True,
    ),
    OtherRoute(path="/l/{code:path}", example="/l/0000000", status=404, media=HTML),
]

REFUSALS = [
    Refusal(
        status=403,
        meta={"code": "ORIGEM_NAO_PERMITIDA"},
        proven_by="tests/rest_api/test_browser_sessions.py::test_a_page_of_another_origin_logs_nobody_in",
    ),
    Refusal(
        status=403,
        meta={"code": "CSRF_INVALIDO"},
        proven_by="tests/rest_api/test_browser_sessions.py::test_graphql_takes_the_cookie_with_a_csrf_token_alone",
    ),
    Refusal(
        status=413, proven_by="tests/contract/test_endpoints.py::a_body_beyond_its_size_is_413"
    ),
    Refusal(
        status=408,
        proven_by="tests/rest_api/test_connections.py::test_a_body_that_stops_is_given_up",
    ),
    Refusal(
        status=431,
        proven_by="tests/rest_api/test_connections.py::test_a_head_above_64_kb_is_refused_also_where_it_comes_at_once",
    ),
    Refusal(
        status=405,
        proven_by="tests/contract/test_endpoints.py::test_another_method_is_405_and_allow_names_those_that_there_are",
    ),
    Refusal(
        status=500,
        proven_by="tests/rest_api/test_outages.py::test_a_fault_of_ours_is_a_500_without_details",
    ),
    Refusal(
        status=503,
        proven_by="tests/rest_api/test_outages.py::test_a_database_that_is_away_is_a_503_that_says_when_to_come_back",
    ),
]
