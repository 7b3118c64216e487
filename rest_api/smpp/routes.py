"""Accounts of SMPP, their binds, and what waits for them."""

from core import smpp
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.smpp import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import SMPP_ACCOUNT, SMPP_BIND


async def list_accounts(
    call: Call[None, smpp.SmppAccountFilter],
) -> WrittenPage[smpp.SmppAccountPage]:
    return await smpp.list_accounts(call.caller, call.query)


async def create_account(call: Call[smpp.NewSmppAccount]) -> smpp.SmppCredentials:
    return await smpp.create_account(call.caller, call.body)


async def get_account(call: Call) -> smpp.SmppAccountRecord:
    return await smpp.get_account(call.caller, call.path["id"])


async def change_account(call: Call[smpp.SmppAccountChanges]) -> smpp.SmppAccountRecord:
    return await smpp.change_account(call.caller, call.path["id"], call.body)


async def rotate_password(call: Call[smpp.SmppPasswordRotation]) -> smpp.SmppCredentials:
    return await smpp.rotate_password(call.caller, call.path["id"], call.body)


async def revoke_account(call: Call) -> None:
    await smpp.revoke_account(call.caller, call.path["id"])


async def list_binds(call: Call[None, smpp.SmppBindFilter]) -> WrittenPage[smpp.SmppBindPage]:
    return await smpp.list_binds(call.caller, call.query)


async def end_bind(call: Call) -> None:
    await smpp.end_bind(call.caller, call.path["id"])


async def list_outbox(
    call: Call[None, smpp.SmppDeliveryFilter],
) -> WrittenPage[smpp.SmppDeliveryPage]:
    return await smpp.list_outbox(call.caller, call.query)


async def replay_outbox(call: Call[smpp.SmppReplay]) -> smpp.SmppReplayed:
    return await smpp.replay_outbox(call.caller, call.body)


WHOSE = (
    "For sessions only: no API key can hold the scope. A session looks after the accounts of both "
    "environments of its organization, whichever it works in."
)

operations = [
    Operation(
        "GET",
        "/v2/smpp/accounts",
        list_accounts,
        Scope.KEYS_MANAGE,
        "List accounts of SMPP, newest first",
        "SMPP",
        description=f"{WHOSE} Passwords cannot be read again.",
        errors=(401, 403, 422),
        query=smpp.SmppAccountFilter,
        answer=smpp.SmppAccountPage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "POST",
        "/v2/smpp/accounts",
        create_account,
        Scope.KEYS_MANAGE,
        "Open an account of SMPP",
        "SMPP",
        description=(
            f"{WHOSE} `password` is answered here once and cannot be read again. An account of live "
            "names the networks that it binds from (`ips`). Another account may have the `systemId` "
            "already: 409, `SYSTEM_ID_EM_USO`."
        ),
        errors=(401, 403, 409, 422),
        status=201,
        body=smpp.NewSmppAccount,
        answer=smpp.SmppCredentials,
        answers={"opened": examples.OPENED},
        examples={
            "sandbox": {"env": "test", "systemId": "kannel-test"},
            "a Kannel of ours": {
                "env": "live",
                "systemId": "kannel",
                "ips": ["203.0.113.0/24"],
                "window": 100,
                "throttle": "pace",
            },
        },
    ),
    Operation(
        "GET",
        "/v2/smpp/accounts/{id}",
        get_account,
        Scope.KEYS_MANAGE,
        "Read one account of SMPP",
        "SMPP",
        description=f"{WHOSE} Its password cannot be read again.",
        errors=(401, 403, 404),
        answer=smpp.SmppAccountRecord,
        answers={"account": examples.ACCOUNT},
        ids={"id": SMPP_ACCOUNT},
    ),
    Operation(
        "PATCH",
        "/v2/smpp/accounts/{id}",
        change_account,
        Scope.KEYS_MANAGE,
        "Change an account of SMPP",
        "SMPP",
        description=(
            f"{WHOSE} What is left out stays; `ips` null lets an account of test bind from anywhere. "
            "Binds that are open follow within two seconds, and are unbound where they come from a "
            "network that is gone. An account that is revoked does not change: 409, `CONTA_REVOGADA`."
        ),
        errors=(401, 403, 404, 409, 422),
        body=smpp.SmppAccountChanges,
        answer=smpp.SmppAccountRecord,
        answers={"a smaller window": examples.CHANGED},
        ids={"id": SMPP_ACCOUNT},
        examples={
            "a smaller window": {"window": 50},
            "another network": {"ips": ["198.51.100.0/24"]},
        },
    ),
    Operation(
        "POST",
        "/v2/smpp/accounts/{id}/rotate",
        rotate_password,
        Scope.KEYS_MANAGE,
        "Draw another password for an account of SMPP",
        "SMPP",
        description=(
            f"{WHOSE} `password` is answered here once. The one before opens for `overlapHours` more; "
            "binds that are open stay."
        ),
        errors=(401, 403, 404, 409, 422),
        status=201,
        body=smpp.SmppPasswordRotation,
        body_optional=True,
        answer=smpp.SmppCredentials,
        answers={"rotated": examples.OPENED},
        ids={"id": SMPP_ACCOUNT},
        examples={"within a day": {}, "at once": {"overlapHours": 0}},
    ),
    Operation(
        "DELETE",
        "/v2/smpp/accounts/{id}",
        revoke_account,
        Scope.KEYS_MANAGE,
        "Revoke an account of SMPP",
        "SMPP",
        description=(
            f"{WHOSE} Nobody binds with it again, and its binds are unbound within two seconds. Its "
            "record stays. Revoking it again changes nothing."
        ),
        errors=(401, 403, 404),
        status=204,
        ids={"id": SMPP_ACCOUNT},
    ),
    Operation(
        "GET",
        "/v2/smpp/binds",
        list_binds,
        Scope.KEYS_MANAGE,
        "List the binds that are open now",
        "SMPP",
        description=f"{WHOSE} In any process, newest first.",
        errors=(401, 403, 422),
        query=smpp.SmppBindFilter,
        answer=smpp.SmppBindPage,
        answers={"one page": examples.BINDS},
    ),
    Operation(
        "DELETE",
        "/v2/smpp/binds/{id}",
        end_bind,
        Scope.KEYS_MANAGE,
        "End a bind",
        "SMPP",
        description=(
            f"{WHOSE} What is under way is answered, and the client is unbound within two seconds. It "
            "may bind again: revoke its account where it must not."
        ),
        errors=(401, 403, 404),
        status=204,
        ids={"id": SMPP_BIND},
    ),
    Operation(
        "GET",
        "/v2/smpp/outbox",
        list_outbox,
        Scope.KEYS_MANAGE,
        "List the receipts and replies that no client has taken yet",
        "SMPP",
        description=(
            f"{WHOSE} Newest first. What its client refused three times is `dead`, and waits for a replay. "
            "What nobody has taken in 72 hours is `expired`: shown for a week more, and not delivered."
        ),
        errors=(401, 403, 422),
        query=smpp.SmppDeliveryFilter,
        answer=smpp.SmppDeliveryPage,
        answers={"one page": examples.OUTBOX},
    ),
    Operation(
        "POST",
        "/v2/smpp/outbox/replay",
        replay_outbox,
        Scope.KEYS_MANAGE,
        "Deliver now all that waits for an account of SMPP",
        "SMPP",
        description=(
            f"{WHOSE} What is `dead` too, and not what has `expired`; 10,000 at once. What is being delivered at that moment may "
            "come twice."
        ),
        errors=(401, 403, 404, 409, 422),
        body=smpp.SmppReplay,
        answer=smpp.SmppReplayed,
        answers={"begun": {"due": 12}},
        examples={"all of it": {"accountId": SMPP_ACCOUNT}},
    ),
]
