"""What an organization sees of its money, and the proof that it adds up."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from core import wallet
from core.foundation import settings
from core.foundation.database import db
from core.foundation.database.pages import cursor_after
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_query
from core.wallet import (
    NoWallet,
    ProofDay,
    Transfer,
    TransferFilter,
    book,
    capture,
    get_wallet,
    hold,
    list_transfers,
    prove,
    release,
    statement,
)
from core.wallet.models import Ledger, TransferKind
from tests.factories.organizations import a_caller

pytestmark = pytest.mark.usefixtures("clean_slate")

SIDES = ["disponivel", "reservado", "receita", "estorno", "devido"]
DAY = date(2026, 1, 2)
AT = datetime(2026, 1, 2, 12, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)


async def a_live_caller(coins: int = 10_000, *, at: datetime = AT) -> Caller:
    caller = await a_caller("live")
    if coins:
        await book([a_credit(caller, coins)], at=at)
    return caller


def a_credit(caller: Caller, coins: int, origin: str = "trf_1") -> Transfer:
    return Transfer(
        caller.organization_id,
        caller.env,
        origin,
        TransferKind.CREDIT,
        Ledger.OUTSIDE,
        Ledger.AVAILABLE,
        coins,
    )


def owner(caller: Caller) -> wallet.Owner:
    return (caller.organization_id, caller.env)


async def listed(caller: Caller, **query: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = (
        await list_transfers(caller, read_query(TransferFilter, query.items()))
    )["items"]
    return items


async def account(caller: Caller, name: str, day: date | None = DAY) -> dict[str, object]:
    proof = await prove(caller, ProofDay(dia=day))
    (found,) = [account for account in proof["contas"] if account["conta"] == name]
    return {key: value for key, value in found.items() if key != "conta"}


USE_CASES = [
    get_wallet,
    lambda caller: list_transfers(caller, TransferFilter()),
    lambda caller: prove(caller, ProofDay()),
]


@pytest.mark.parametrize("use_case", USE_CASES)
async def test_reading_money_needs_a_scope(use_case: Any) -> None:
    caller = await a_caller("live", scopes=frozenset(Scope) - {Scope.WALLET_READ})

    with pytest.raises(Forbidden) as refused:
        await use_case(caller)

    assert refused.value.meta == {"escopoExigido": "wallet:read"}


@pytest.mark.parametrize("use_case", USE_CASES)
async def test_where_nothing_is_charged_there_is_no_wallet(
    use_case: Any, billing_off: None
) -> None:
    with pytest.raises(NoWallet):
        await use_case(await a_caller("live"))


@pytest.mark.parametrize("use_case", USE_CASES)
async def test_a_wallet_from_before_billing_was_switched_off_is_not_shown(
    use_case: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_live_caller()
    with monkeypatch.context() as patched:
        patched.setenv("SVC_BILLING", "off")
        settings.current.cache_clear()
        with pytest.raises(NoWallet):
            await use_case(caller)
    settings.current.cache_clear()


# Balances


async def test_the_balances_of_the_callers_environment() -> None:
    caller = await a_live_caller()
    await book([hold(owner(caller), "msg_1", 800)], at=AT)

    assert await get_wallet(caller) == {
        "disponivelCoins": 9_200,
        "reservadoCoins": 800,
        "devidoCoins": 0,
        "limiteAvisoCoins": 100_000,
    }


# Movements


async def test_movements_are_listed_newest_first() -> None:
    caller = await a_live_caller()
    await book(
        [hold(owner(caller), "msg_1", 800, "req_1"), capture(owner(caller), "msg_1", 800)],
        at=AT + MOMENT,
    )

    items = await listed(caller)

    assert [(item["tipo"], item["de"], item["para"], item["coins"]) for item in items] == [
        ("captura", "reservado", "receita", 800),
        ("reserva", "disponivel", "reservado", 800),
        ("credito", "externo", "disponivel", 10_000),
    ]
    assert items[1] == {
        "id": items[1]["id"],
        "origem": "msg_1",
        "tipo": "reserva",
        "de": "disponivel",
        "para": "reservado",
        "coins": 800,
        "requestId": "req_1",
        "createdAt": "2026-01-02T12:00:00.000Z",
    }
    assert "requestId" not in items[2]


async def test_other_organizations_and_environments_are_not_shown() -> None:
    caller = await a_live_caller()
    await a_live_caller()
    sandbox = await a_caller("test", organization_id=caller.organization_id)

    assert len(await listed(caller)) == 1
    assert {item["coins"] for item in await listed(sandbox)} == {10_000_000}


@pytest.mark.parametrize(
    ("query", "origins"),
    [
        ({}, ["msg_2", "msg_1", "trf_1"]),
        ({"origin": "msg_1"}, ["msg_1"]),
        ({"origin": "msg_9"}, []),
        ({"kind": "reserva"}, ["msg_2", "msg_1"]),
        ({"from": "2026-01-02T12:00:01Z"}, ["msg_2", "msg_1"]),
        ({"from": "2026-01-02T12:00:01Z", "to": "2026-01-02T12:00:01Z"}, ["msg_1"]),
        ({"to": "2026-01-02T09:00:01-03:00"}, ["msg_1", "trf_1"]),
        ({"kind": "reserva", "limit": "1"}, ["msg_2"]),
    ],
)
async def test_movements_are_filtered(query: dict[str, str], origins: list[str]) -> None:
    caller = await a_live_caller()
    for n in (1, 2):
        await book([hold(owner(caller), f"msg_{n}", 1)], at=AT + timedelta(seconds=n))

    assert [item["origem"] for item in await listed(caller, **query)] == origins


async def test_pages_follow_each_other_without_gap_or_repetition() -> None:
    caller = await a_live_caller()
    await book([hold(owner(caller), f"msg_{n}", 1) for n in range(6)], at=AT)
    seen, cursor = [], None
    while True:
        query = {"limit": "3"} | ({"cursor": cursor} if cursor else {})
        page = await list_transfers(caller, read_query(TransferFilter, query.items()))
        seen += [item["id"] for item in page["items"]]
        cursor = page.get("nextCursor")
        if cursor is None:
            break

    assert len(seen) == len(set(seen)) == 7
    assert seen == sorted(seen, key=int, reverse=True)


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "garbage",
        *(cursor_after(AT, id) for id in ("msg_1", "", "0", "-1", "1.5", "9" * 19, "9" * 5_000)),
    ],
)
async def test_a_cursor_that_is_not_this_lists_is_refused(cursor: str) -> None:
    caller = await a_live_caller()

    with pytest.raises(ValidationFailed) as refused:
        await listed(caller, cursor=cursor)

    assert [error.as_wire()["parameter"] for error in refused.value.errors] == ["cursor"]


# The proof


async def test_the_books_of_a_new_wallet_agree() -> None:
    caller = await a_live_caller(0)

    proof = await prove(caller, ProofDay(dia=DAY))

    assert (proof["dia"], proof["confere"]) == ("2026-01-02", True)
    assert [account["conta"] for account in proof["contas"]] == SIDES
    assert all(
        value == 0
        for account in proof["contas"]
        for key, value in account.items()
        if key != "conta"
    )


async def test_the_proof_tells_the_day_before_in_out_and_after() -> None:
    caller = await a_live_caller(10_000, at=AT - timedelta(days=1))
    await book([hold(owner(caller), "msg_1", 800)], at=AT)
    await book([release(owner(caller), "msg_1", 300)], at=AT + MOMENT)
    await book([a_credit(caller, 50, "trf_2")], at=AT + timedelta(days=1))

    assert (await prove(caller, ProofDay(dia=DAY)))["confere"]
    assert await account(caller, "disponivel") == {
        "saldoCoins": 9_550,
        "somaCoins": 9_550,
        "inicioDoDiaCoins": 10_000,
        "entradasCoins": 300,
        "saidasCoins": 800,
        "fimDoDiaCoins": 9_500,
    }
    assert (await account(caller, "reservado"))["fimDoDiaCoins"] == 500


async def test_a_day_is_half_open_in_utc() -> None:
    midnight = datetime(2026, 1, 2, tzinfo=UTC)
    caller = await a_live_caller(0)
    for n, at in enumerate(
        (
            midnight - MOMENT,
            midnight,
            midnight + timedelta(days=1) - MOMENT,
            midnight + timedelta(days=1),
        )
    ):
        await book([a_credit(caller, 10**n, f"trf_{n}")], at=at)

    day = await account(caller, "disponivel")

    assert (day["inicioDoDiaCoins"], day["entradasCoins"], day["fimDoDiaCoins"]) == (1, 110, 111)


async def test_what_is_owed_counts_as_a_positive_balance() -> None:
    caller = await a_live_caller(0)
    owed = Transfer(*owner(caller), "rep_1", TransferKind.CAPTURE, Ledger.OWED, Ledger.REVENUE, 200)
    await book([owed], at=AT)

    assert (await account(caller, "devido"))["saldoCoins"] == 200
    assert (await prove(caller, ProofDay(dia=DAY)))["confere"]


@pytest.mark.parametrize("column", ["available", "held", "revenue", "refund", "owed"])
async def test_a_balance_that_nobody_booked_is_found(column: str) -> None:
    caller = await a_live_caller()
    await db.execute(
        f"UPDATE wallets SET {column} = {column} + 1 WHERE organization_id = $1",
        caller.organization_id,
    )

    assert not (await prove(caller, ProofDay(dia=DAY)))["confere"]


async def test_a_movement_that_is_missing_is_found() -> None:
    caller = await a_live_caller()
    await db.execute(
        "DELETE FROM wallet_transfers WHERE organization_id = $1", caller.organization_id
    )

    assert not (await prove(caller, ProofDay(dia=DAY)))["confere"]


async def test_what_is_booked_while_the_proof_is_read_does_not_disturb_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = await a_live_caller()
    fetch, fetchrow, booked = db.fetch, db.fetchrow, list[bool]()

    async def book_once() -> None:
        if not booked:
            booked.append(True)
            await book([hold(owner(caller), "msg_1", 800)], at=AT)

    async def busy_fetch(sql: str, *values: Any) -> Any:
        rows = await fetch(sql, *values)
        await book_once()
        return rows

    async def busy_fetchrow(sql: str, *values: Any) -> Any:
        row = await fetchrow(sql, *values)
        await book_once()
        return row

    monkeypatch.setattr(db, "fetch", busy_fetch)
    monkeypatch.setattr(db, "fetchrow", busy_fetchrow)

    assert (await prove(caller, ProofDay(dia=DAY)))["confere"]
    assert booked


@pytest.mark.parametrize("dia", ["0001-01-01", "9999-12-30"])
async def test_any_day_can_be_proved(dia: str) -> None:
    proof = await prove(await a_live_caller(), read_query(ProofDay, [("dia", dia)]))

    assert (proof["dia"], proof["confere"]) == (dia, True)


@pytest.mark.parametrize("dia", ["9999-12-31", "10000-01-01", "2026-02-30", "today", ""])
def test_what_is_no_day_is_refused(dia: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        read_query(ProofDay, [("dia", dia)])

    assert [error.where for error in refused.value.errors] == ["dia"]


async def test_the_proof_is_todays_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statement, "now", lambda: AT)

    assert (await prove(await a_live_caller(), ProofDay()))["dia"] == "2026-01-02"
