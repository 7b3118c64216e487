"""Error catalogue: refusals of numbers."""

from core.numbers.errors import (
    AccountTaken,
    NotOnThePlatform,
    NumberTaken,
    NumberUnavailable,
    UnfitValue,
)
from rest_api.problems.error_doc import ErrorDoc, at, nowhere

CONFLICTS = (
    ErrorDoc(
        NumberUnavailable(),
        (
            "The number is not connected to the platform, so nothing can leave from it. "
            "Nothing was stored or charged."
        ),
        (
            "Read `GET /numbers/{id}/health`, which asks the platform anew, and send "
            "once `podeEnviar` is true."
        ),
        at("POST /messages", "POST /messages/force", "POST /messages/bulk"),
    ),
    ErrorDoc(
        NumberTaken(),
        (
            "The organization has this phone already, or the platform's id of it belongs "
            "to a number that is registered."
        ),
        "Use the number that exists; `svc number list` shows those of an organization.",
        nowhere,
    ),
    ErrorDoc(
        AccountTaken(),
        "The platform's id belongs to an Instagram account that is registered.",
        "Use the account that exists; `svc instagram list` shows those of an organization.",
        nowhere,
    ),
)

INVALID = (
    ErrorDoc(
        UnfitValue("not_allowed", "green, yellow, red, unknown"),
        "The event takes another `valor`, or needs one.",
        "Send a rating with `quality`, a tier with `tier`.",
        at("POST /v2/sandbox/numbers/{id}/events"),
    ),
)

UPSTREAM = (
    ErrorDoc(
        NotOnThePlatform(meta={"upstreamCode": "190"}),
        (
            "The platform was asked for the number and did not confirm it; "
            "`meta.upstreamCode` is its code."
        ),
        "Check the ids and the access token.",
        nowhere,
    ),
)
