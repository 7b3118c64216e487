"""What an owner looks after, over GraphQL: keys, the audit trail and the movements of the wallet."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from core import audit, organizations, wallet
from core.foundation.clock import now
from core.foundation.security.caller import Caller, Scope
from tests.factories.accounts import a_person
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.support.graphql import data_of, refused
from tests.support.statements import statements

pytestmark = pytest.mark.usefixtures("clean_slate")

KEYS = """query($env: Env, $status: ApiKeyStatus) { apiKeys(first: 5, filter: {env: $env, status: $status}) {
  totalCount nodes { id nome env prefixo scopes status createdById revokedAt } } }"""
ENTRIES = """query($filter: AuditFilter, $after: String) { auditEntries(first: 1, filter: $filter, after: $after) {
  totalCount nodes { id action subjectId actor { kind id } facts } pageInfo { hasNextPage endCursor } } }"""
TRANSFERS = """query($filter: WalletTransferFilter, $after: String) {
  walletTransfers(first: 1, filter: $filter, after: $after) {
    totalCount nodes { id origem tipo de para coins } pageInfo { hasNextPage endCursor } } }"""


async def a_key_of(caller: Caller, env: str = "test") -> str:
    new = organizations.NewKey.model_validate(
        {"nome": "checkout", "env": env, "scopes": ["sms:read"]}
    )
    id: str = (await organizations.issue_key(caller, new))["id"]
    return id


async def test_keys_of_both_environments_are_read_in_one_statement_without_their_text() -> None:
    owner = await a_person()
    live, test = await a_key_of(owner, "live"), await a_key_of(owner)
    await organizations.revoke_key(owner, live, organizations.KeyRevocation())

    async with statements() as asked:
        every = (await data_of(owner, KEYS))["apiKeys"]
    ended = (await data_of(owner, KEYS, status="REVOGADA"))["apiKeys"]
    of_test = (await data_of(owner, KEYS, env="TEST"))["apiKeys"]

    assert len(asked) == 1
    assert [(key["id"], key["env"]) for key in every["nodes"]] == [(test, "TEST"), (live, "LIVE")]
    assert every["totalCount"] == 2
    assert [(key["id"], key["status"]) for key in ended["nodes"]] == [(live, "REVOGADA")]
    assert [key["id"] for key in of_test["nodes"]] == [test]
    assert every["nodes"][0]["createdById"] == owner.account_id


async def test_entries_of_the_trail_are_paged_and_filtered_in_one_statement() -> None:
    owner = await a_person()
    for subject in ("cnt_1", "cnt_2", "cnt_1"):
        await audit.write_entry(owner, "contact.read", subject, {"n": 1}, at=now())

    async with statements() as asked:
        first = (await data_of(owner, ENTRIES, filter={"subjectId": "cnt_1"}))["auditEntries"]
    after = first["pageInfo"]["endCursor"]
    second = (await data_of(owner, ENTRIES, filter={"subjectId": "cnt_1"}, after=after))[
        "auditEntries"
    ]

    assert len(asked) == 1
    assert (first["totalCount"], first["pageInfo"]["hasNextPage"]) == (2, True)
    assert second["pageInfo"]["hasNextPage"] is False
    (one,), (other,) = first["nodes"], second["nodes"]
    assert one["id"] != other["id"]
    assert one["actor"] == {"kind": "ACCOUNT", "id": owner.account_id}
    assert (one["action"], one["subjectId"], one["facts"]) == ("contact.read", "cnt_1", {"n": 1})
    none = await data_of(owner, ENTRIES, filter={"until": "2020-01-01T00:00:00Z"})
    assert none["auditEntries"]["totalCount"] == 0


async def test_movements_of_the_wallet_are_paged_and_filtered_in_one_statement() -> None:
    caller = await a_caller()
    sent = await a_send(caller)

    async with statements() as asked:
        first = (await data_of(caller, TRANSFERS, filter={"origin": sent["id"]}))["walletTransfers"]
    after = first["pageInfo"]["endCursor"]
    second = (await data_of(caller, TRANSFERS, filter={"origin": sent["id"]}, after=after))[
        "walletTransfers"
    ]
    held = (await data_of(caller, TRANSFERS, filter={"kind": "RESERVA"}))["walletTransfers"]

    assert len(asked) == 1
    assert first["totalCount"] == 2
    assert [one["tipo"] for one in (*first["nodes"], *second["nodes"])] == ["CAPTURA", "RESERVA"]
    assert held["nodes"] == second["nodes"]
    assert held["nodes"][0]["origem"] == sent["id"]


async def test_the_proof_of_a_day_and_the_prices_are_those_of_rest() -> None:
    caller = await a_caller()
    await a_send(caller)
    query = """query($day: Date) { walletProof(day: $day) { dia confere contas { conta saldoCoins } }
      prices { own email sms smsByRoute { route bands { fromSegment coins } }
        rcs rcsByRoute { route coins } push pushByRateKind { rateKind coins } } }"""

    today = await data_of(caller, query)
    before = await data_of(caller, query, day="2020-01-01")

    proof = await wallet.prove(caller, wallet.ProofDay())
    assert today["walletProof"]["dia"] == proof["dia"]
    assert today["walletProof"]["confere"] is True
    assert {one["saldoCoins"] for one in today["walletProof"]["contas"]} == {
        one["saldoCoins"] for one in proof["contas"]
    }
    assert before["walletProof"]["dia"] == "2020-01-01"
    prices: Mapping[str, Any] = await wallet.get_prices(caller)
    shown = today["prices"]
    maps = ("own", "email", "sms", "rcs", "push")
    assert {name: shown[name] for name in maps} == {name: prices[name] for name in maps}
    typed = {one["route"].lower(): one["bands"] for one in shown["smsByRoute"]}
    assert typed == prices["sms"]
    assert {one["route"].lower(): one["coins"] for one in shown["rcsByRoute"]} == prices["rcs"]
    kinds = {one["rateKind"].lower(): one["coins"] for one in shown["pushByRateKind"]}
    assert kinds == prices["push"]


async def test_anothers_are_not_shown() -> None:
    owner, other = await a_person(), await a_person()
    await a_key_of(other)
    await audit.write_entry(other, "contact.read", "cnt_1", at=now())
    await a_send(await a_caller(organization_id=other.organization_id))

    shown = [
        (await data_of(owner, KEYS))["apiKeys"]["totalCount"],
        (await data_of(owner, ENTRIES, filter={"action": "contact.read"}))["auditEntries"][
            "totalCount"
        ],
        (await data_of(owner, TRANSFERS, filter={"kind": "CAPTURA"}))["walletTransfers"][
            "totalCount"
        ],
    ]

    assert shown == [0, 0, 0]


@pytest.mark.parametrize(
    ("query", "scope"),
    [
        (KEYS, Scope.KEYS_MANAGE),
        (ENTRIES, Scope.AUDIT_READ),
        (TRANSFERS, Scope.WALLET_READ),
    ],
)
async def test_without_the_scope_nothing_is_shown(query: str, scope: Scope) -> None:
    owner = await a_person()

    error = await refused(replace(owner, scopes=owner.scopes - {scope}), query)

    assert error["extensions"]["meta"] == {"escopoExigido": scope.value}
