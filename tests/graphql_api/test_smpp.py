"""Accounts of SMPP, their binds and what waits for them, over GraphQL: one statement each."""

from dataclasses import replace

import pytest

from core import smpp
from core.foundation.security.caller import Caller, Scope
from tests.contract.rows.smpp import a_bind, a_receipt_that_waits
from tests.factories.accounts import a_person
from tests.factories.organizations import a_caller
from tests.factories.smpp import an_smpp_account
from tests.support.graphql import data_of, refused
from tests.support.statements import statements

pytestmark = pytest.mark.usefixtures("clean_slate")

ACCOUNTS = """query($env: Env) { smppAccounts(first: 5, filter: {env: $env}) { totalCount
  nodes { id env systemId route ips maxBinds window throttle charset createdAt revokedAt } } }"""
ACCOUNTS_AND_USE = """{ smppAccounts(first: 5) { nodes {
  id binds { id mode peer account { id } } outbox { waiting oldestAt } } } }"""
BINDS = """query($id: ID) { smppBinds(first: 5, filter: {accountId: $id}) { totalCount
  nodes { id accountId env mode peer process submits deliveries openedAt heardAt } } }"""
OUTBOX = """query($status: SmppDeliveryStatus) { smppOutbox(first: 5, filter: {status: $status}) { totalCount
  nodes { id accountId env kind status messageId attempts createdAt dueAt } } }"""


async def test_accounts_of_both_environments_are_read_in_one_statement() -> None:
    owner = await a_person()
    test = await an_smpp_account(owner)
    live = await an_smpp_account(owner, env="live", ips=["203.0.113.7"], throttle="pace")
    await an_smpp_account()

    async with statements() as asked:
        every = (await data_of(owner, ACCOUNTS))["smppAccounts"]
    of_live = (await data_of(owner, ACCOUNTS, env="LIVE"))["smppAccounts"]

    assert len(asked) == 1
    assert [(one["id"], one["env"]) for one in every["nodes"]] == [(live["id"], "LIVE"), (test["id"], "TEST")]  # fmt: skip
    (shown,) = of_live["nodes"]
    assert (shown["throttle"], shown["route"], shown["ips"]) == ("PACE", "PREMIUM", ["203.0.113.7"])
    assert shown["systemId"] == live["systemId"]


async def test_binds_and_what_waits_are_read_in_one_statement_each() -> None:
    owner = await a_person()
    bind, receipt = await a_bind(owner), await a_receipt_that_waits(owner)
    stranger = await a_person()
    await a_bind(stranger)
    await a_receipt_that_waits(stranger)

    async with statements() as asked:
        binds = (await data_of(owner, BINDS))["smppBinds"]
    async with statements() as asked_too:
        waiting = (await data_of(owner, OUTBOX, status="WAITING"))["smppOutbox"]
    dead = (await data_of(owner, OUTBOX, status="DEAD"))["smppOutbox"]
    of_another = (await data_of(owner, BINDS, id="smp_1"))["smppBinds"]

    assert (len(asked), len(asked_too)) == (1, 1)
    assert [(one["id"], one["mode"], one["submits"]) for one in binds["nodes"]] == [(bind, "TRANSCEIVER", 0)]  # fmt: skip
    assert [(one["id"], one["kind"], one["status"]) for one in waiting["nodes"]] == [(receipt, "RECEIPT", "WAITING")]  # fmt: skip
    assert (dead["totalCount"], of_another["totalCount"]) == (0, 0)


async def test_an_account_tells_its_binds_and_what_waits_for_it() -> None:
    owner = await a_person()
    await a_bind(owner)
    receipt = await a_receipt_that_waits(owner)
    await a_bind(await a_person())

    async with statements() as asked:
        nodes = (await data_of(owner, ACCOUNTS_AND_USE))["smppAccounts"]["nodes"]

    assert len(asked) == 1
    waiting, bound = (one for one in nodes)
    assert waiting["id"] == f"smp_{receipt[4:]}"
    assert (waiting["binds"], waiting["outbox"]["waiting"]) == ([], 1)
    assert waiting["outbox"]["oldestAt"].endswith("Z")
    assert [one["mode"] for one in bound["binds"]] == ["TRANSCEIVER"]
    assert bound["outbox"] == {"waiting": 0, "oldestAt": None}


@pytest.mark.parametrize("query", [ACCOUNTS, BINDS, OUTBOX])
async def test_no_key_reads_them(query: str) -> None:
    key: Caller = await a_caller(scopes=frozenset(Scope) - {Scope.KEYS_MANAGE})

    assert (await refused(key, query))["extensions"]["code"] == "FORBIDDEN"


async def test_a_bind_that_was_ended_is_not_shown() -> None:
    owner = await a_person()
    bind = await a_bind(owner)

    await smpp.end_bind(replace(owner, env="live"), bind)

    assert (await data_of(owner, BINDS))["smppBinds"]["totalCount"] == 0
