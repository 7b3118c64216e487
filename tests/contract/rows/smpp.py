"""Decisions: accounts of SMPP, their binds, and what waits for them."""

from contextlib import suppress
from dataclasses import replace
from itertools import count

from core import smpp
from core.foundation.clock import now
from core.foundation.security.caller import Caller, Scope
from core.smpp.models import SmppReceipt
from tests.contract.table import Endpoint, Limit, Page, Refusal
from tests.contract.world import World
from tests.factories.smpp import an_smpp_account

ACCOUNTS, ACCOUNT = "/v2/smpp/accounts", "/v2/smpp/accounts/{id}"
CREATE, CHANGE, ROTATE = f"POST {ACCOUNTS}", f"PATCH {ACCOUNT}", f"POST {ACCOUNT}/rotate"
BINDS, OUTBOX, REPLAY = "GET /v2/smpp/binds", "GET /v2/smpp/outbox", "POST /v2/smpp/outbox/replay"


async def an_account(caller: Caller) -> str:
    """The id of an account."""
    admin = replace(caller, scopes=frozenset(Scope))
    networks = {"ips": ["203.0.113.0/24"]} if caller.env == "live" else {}
    return str((await an_smpp_account(admin, env=caller.env, **networks))["id"])


async def a_bind(caller: Caller) -> str:
    """The id of a bind that is open."""
    account = await an_account(caller)
    client = (await smpp.clients_of([account]))[account]
    id = await smpp.open_bind(client, "transceiver", peer="203.0.113.7", process="prc_contract")
    assert id is not None
    return id


async def a_receipt_that_waits(caller: Caller) -> str:
    """The id of a receipt that nobody has taken."""
    id = f"msg_{(await an_account(caller))[4:]}"
    await SmppReceipt.create(
        id=id,
        organization_id=caller.organization_id,
        env=caller.env,
        account_id=f"smp_{id[4:]}",
        message_id=id,
        wanted=1,
        source="SVC",
        destination="5511987650005",
        created_at=now(),
        status="delivered",
        done_at=now(),
        due_at=now(),
    )
    return id


async def a_free_name(_: Caller) -> str:
    """No id, but as hard to find: what no account of any organization is called."""
    return f"free-{next(_numbers)}"


_numbers = count(1)

RECORDS = {
    "free system_id": a_free_name,
    "smpp account": an_account,
    "smpp bind": a_bind,
    "smpp receipt": a_receipt_that_waits,
}

FIELDS = (
    "route ips[] maxBinds window throttle charset dedupeSeconds receipts receiptIds receiptZone "
    "longReplies certificates[]"
)

ENDPOINTS = [
    Endpoint(
        address=f"GET {ACCOUNTS}",
        scope="keys:manage",
        by="session",
        errors="401 403 422",
        parameters="env* limit* skip* cursor",
        both_environments=True,
    ),
    Endpoint(
        address=CREATE,
        scope="keys:manage",
        by="session",
        status=201,
        errors="401 403 409 422",
        fields=f"env! systemId! {FIELDS}",
        body={"env": "test", "systemId": "<free system_id>"},
    ),
    Endpoint(
        address=f"GET {ACCOUNT}",
        scope="keys:manage",
        by="session",
        errors="401 403 404",
        ids={"id": "<smpp account>"},
        both_environments=True,
    ),
    Endpoint(
        address=CHANGE,
        scope="keys:manage",
        by="session",
        errors="401 403 404 409 422",
        ids={"id": "<smpp account>"},
        both_environments=True,
        fields=FIELDS,
        body={"window": 50},
    ),
    Endpoint(
        address=ROTATE,
        scope="keys:manage",
        by="session",
        status=201,
        errors="401 403 404 409 422",
        ids={"id": "<smpp account>"},
        both_environments=True,
        optional_body=True,
        fields="overlapHours",
        body={"overlapHours": 1},
    ),
    Endpoint(
        address=f"DELETE {ACCOUNT}",
        scope="keys:manage",
        by="session",
        status=204,
        errors="401 403 404",
        ids={"id": "<smpp account>"},
        both_environments=True,
        record_stays=True,
    ),
    Endpoint(
        address=BINDS,
        scope="keys:manage",
        by="session",
        errors="401 403 422",
        parameters="accountId limit* skip* cursor",
        both_environments=True,
    ),
    Endpoint(
        address="DELETE /v2/smpp/binds/{id}",
        scope="keys:manage",
        by="session",
        status=204,
        errors="401 403 404",
        ids={"id": "<smpp bind>"},
        both_environments=True,
    ),
    Endpoint(
        address=OUTBOX,
        scope="keys:manage",
        by="session",
        errors="401 403 422",
        parameters="accountId status* limit* skip* cursor",
        both_environments=True,
    ),
    Endpoint(
        address=REPLAY,
        scope="keys:manage",
        by="session",
        errors="401 403 404 409 422",
        both_environments=True,
        unknown_is=404,
        fields="accountId!",
        body={"accountId": "<smpp account>"},
    ),
]


async def it_is_revoked(world: World) -> None:
    await smpp.revoke_account(
        replace(world.caller, scopes=frozenset(Scope)), await world.record("smpp account")
    )


async def the_name_is_taken(world: World) -> None:
    new = {"env": "test", "systemId": await world.record("free system_id")}
    with suppress(smpp.SystemIdTaken):
        await an_smpp_account(replace(world.caller, scopes=frozenset(Scope)), **new)


REFUSALS = [
    Refusal(
        status=409, address=CREATE, before=the_name_is_taken, meta={"code": "SYSTEM_ID_EM_USO"}
    ),
    *(
        Refusal(status=409, address=address, before=it_is_revoked, meta={"code": "CONTA_REVOGADA"})
        for address in (CHANGE, ROTATE, REPLAY)
    ),
    Refusal(status=422, address=CREATE, change={"env": "live"}, wrong={"/ips": "required"}),
    Refusal(
        status=422, address=CHANGE, env="live", change={"ips": None}, wrong={"/ips": "required"}
    ),
]

LIMITS = [
    *(
        limit
        for address in (CREATE, CHANGE)
        for limit in (
            Limit(
                address=address,
                field="/maxBinds",
                takes=[1, 50],
                refuses=[(0, "too_small"), (51, "too_large")],
            ),
            Limit(
                address=address,
                field="/window",
                takes=[1, 1000],
                refuses=[(0, "too_small"), (1001, "too_large")],
            ),
            Limit(
                address=address,
                field="/route",
                takes=["premium", "otp", "la_dedicada"],
                refuses=[("express", "not_allowed")],
            ),
            Limit(
                address=address,
                field="/throttle",
                takes=["refuse", "pace"],
                refuses=[("wait", "not_allowed")],
            ),
            Limit(
                address=address,
                field="/charset",
                takes=["gsm", "latin1", "ascii"],
                refuses=[("utf8", "not_allowed")],
            ),
            Limit(
                address=address,
                field="/dedupeSeconds",
                takes=[0, 120],
                refuses=[(-1, "too_small"), (121, "too_large")],
            ),
            Limit(
                address=address,
                field="/receipts",
                takes=["as_asked", "always", "never"],
                refuses=[("sometimes", "not_allowed")],
            ),
            Limit(
                address=address,
                field="/receiptIds",
                takes=["all", "final_part"],
                refuses=[("first", "not_allowed")],
            ),
            Limit(
                address=address,
                field="/receiptZone",
                takes=["UTC", "America/Sao_Paulo"],
                refuses=[("Brasil", "not_allowed")],
            ),
            Limit(
                address=address,
                field="/longReplies",
                takes=["parts", "payload"],
                refuses=[("cut", "not_allowed")],
            ),
            Limit(
                address=address,
                field="/certificates",
                takes=[["ab" * 32], [":".join(["AB"] * 32)], [f"{n:064x}" for n in range(10)]],
                refuses=[
                    ([], "too_few"),
                    ([f"{n:064x}" for n in range(11)], "too_many"),
                    (["ab"], "wrong_format", "/0"),
                ],
            ),
            Limit(
                address=address,
                field="/ips",
                takes=[["203.0.113.0/24"], [f"203.0.113.{n}" for n in range(50)]],
                refuses=[
                    ([], "too_few"),
                    ([f"203.0.113.{n}" for n in range(51)], "too_many"),
                    (["home"], "wrong_format", "/0"),
                ],
            ),
        )
    ),
    Limit(
        address=CREATE,
        field="/systemId",
        takes=["abc", "a" * 15, "a.b_c-1"],
        refuses=[
            ("ab", "wrong_format"),
            ("a" * 16, "wrong_format"),
            ("a b c", "wrong_format"),
        ],
    ),
    Limit(
        address=CREATE,
        field="/env",
        takes=["test"],
        refuses=[("prod", "not_allowed")],
    ),
    Limit(
        address=ROTATE,
        field="/overlapHours",
        takes=[0, 168],
        refuses=[(-1, "too_small"), (169, "too_large")],
    ),
    Limit(
        address=REPLAY,
        field="/accountId",
        refuses=[("", "too_short"), ("x" * 31, "too_long")],
    ),
    Limit(
        address=f"GET {ACCOUNTS}",
        field="?env",
        takes=["live", "test"],
        refuses=[("prod", "not_allowed")],
    ),
    Limit(
        address=OUTBOX,
        field="?status",
        takes=["waiting", "dead", "expired"],
        refuses=[("lost", "not_allowed")],
    ),
]

PAGES = [
    Page(
        address=f"GET {ACCOUNTS}",
        fill=lambda world, count: world.rows(
            "smpp account", count, table="smpp_accounts", unique=("system_id",)
        ),
    ),
    Page(
        address=BINDS,
        fill=lambda world, count: world.rows("smpp bind", count, table="smpp_binds"),
    ),
    Page(
        address=OUTBOX,
        fill=lambda world, count: world.rows("smpp receipt", count, table="smpp_receipts"),
    ),
]
