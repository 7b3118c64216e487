"""Error catalogue: refusals of accounts of SMPP."""

from core.smpp import NetworksMissing, SmppAccountRevoked, SystemIdTaken
from rest_api.problems.error_doc import ErrorDoc, at

CONFLICTS = (
    ErrorDoc(
        SystemIdTaken(),
        "Another account has this system_id, of any organization.",
        "Choose another `systemId`.",
        at("POST /v2/smpp/accounts"),
    ),
    ErrorDoc(
        SmppAccountRevoked(),
        "The account is revoked and does not change any more.",
        "Open another one.",
        at(
            "PATCH /v2/smpp/accounts/{id}",
            "POST /v2/smpp/accounts/{id}/rotate",
            "POST /v2/smpp/outbox/replay",
        ),
    ),
)

INVALID = (
    ErrorDoc(
        NetworksMissing(),
        "An account of live would be open to the whole world, with a password of eight characters.",
        "Name in `ips` the networks that it binds from.",
        at("POST /v2/smpp/accounts", "PATCH /v2/smpp/accounts/{id}"),
    ),
)
