"""Seeded deals could have gone through the service themselves."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from core.cards.stage_rules import STATUS_OF, missing
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.pipelines.models import Outcome
from tests.factories.organizations import a_caller
from tests.factories.seeding import AS_OF, a_seed

pytestmark = pytest.mark.usefixtures("clean_slate")

DEALS = 400


async def rows_of(caller: Caller, table: str, order: str) -> list[Any]:
    return await db.fetch(
        f"SELECT * FROM {table} WHERE organization_id = $1 AND env = $2 ORDER BY {order}",
        caller.organization_id,
        caller.env,
    )


@pytest.fixture(scope="module")
async def caller(slate_of_the_file: None) -> Caller:
    """Of an organization with seeded companies, contacts and deals."""
    caller = await a_caller()
    answer = await a_seed(caller, contacts=300, companies=40, deals=DEALS)
    assert (answer["deals"], answer["pipelines"]) == (DEALS, 3)
    assert answer["activities"] == len(await rows_of(caller, "card_activities", "id"))
    return caller


async def the_stages(caller: Caller) -> dict[str, Any]:
    return {row["id"]: row for row in await rows_of(caller, "pipeline_stages", "position")}


async def the_history(caller: Caller) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in await rows_of(caller, "card_history", "at"):
        found.setdefault(row["card_id"], []).append(row)
    return found


async def test_pipelines_have_open_stages_and_both_ends(caller: Caller) -> None:
    stages = await the_stages(caller)
    pipelines = await rows_of(caller, "pipelines", "position")

    assert [row["position"] for row in pipelines] == [0, 1, 2]
    for pipeline in pipelines:
        own = [stage for stage in stages.values() if stage["pipeline_id"] == pipeline["id"]]
        assert [stage["position"] for stage in own] == list(range(len(own)))
        outcomes = Counter(stage["outcome"] for stage in own)
        assert outcomes[Outcome.OPEN] >= 1
        assert outcomes[Outcome.WON] == outcomes[Outcome.LOST] == 1
        assert {s["outcome"]: s["probability"] for s in own if s["outcome"] != "aberta"} == {
            "ganho": 100,
            "perda": 0,
        }
        assert all(stage["max_days"] is None for stage in own if stage["outcome"] != Outcome.OPEN)


async def test_status_and_times_follow_the_stage(caller: Caller) -> None:
    stages = await the_stages(caller)
    cards = await rows_of(caller, "cards", "created_at")

    assert Counter(card["status"] for card in cards).keys() == {"aberto", "ganho", "perdido"}
    for card in cards:
        stage = stages[card["stage_id"]]
        assert stage["pipeline_id"] == card["pipeline_id"]
        assert card["status"] == STATUS_OF[Outcome(stage["outcome"])]
        assert (card["won_at"] is not None) == (card["status"] == "ganho")
        assert (card["lost_at"] is not None) == (card["status"] == "perdido")
        assert (card["closed_by_id"] is not None) == (card["status"] != "aberto")
        assert card["created_at"] <= card["stage_since"] == card["updated_at"] < AS_OF
        assert (card["won_at"] or card["lost_at"] or card["stage_since"]) == card["stage_since"]
        assert card["owner_id"] in (None, caller.account_id)


async def test_a_deal_has_what_its_stage_demands(caller: Caller) -> None:
    stages = await the_stages(caller)

    for card in await rows_of(caller, "cards", "id"):
        assert missing(card, stages[card["stage_id"]]["required_fields"], principal=False) == []


async def test_lost_deals_have_a_reason_of_their_pipeline_and_its_note(caller: Caller) -> None:
    reasons = {row["id"]: row for row in await rows_of(caller, "lost_reasons", "position")}

    used = Counter[str]()
    for card in await rows_of(caller, "cards", "id"):
        assert (card["lost_reason_id"] is not None) == (card["status"] == "perdido")
        if card["lost_reason_id"]:
            reason = reasons[card["lost_reason_id"]]
            used[reason["text"]] += 1
            assert reason["pipeline_id"] == card["pipeline_id"]
            assert card["lost_note"] or not reason["needs_note"]
    assert len(used) > 3


async def test_the_history_is_one_stay_after_the_other(caller: Caller) -> None:
    stages = await the_stages(caller)
    history = await the_history(caller)
    cards = {row["id"]: row for row in await rows_of(caller, "cards", "id")}

    kinds = Counter(row["kind"] for rows in history.values() for row in rows)
    assert kinds.keys() == {"criado", "movido", "ganho", "perdido", "reaberto"}
    assert history.keys() == cards.keys()
    for id, rows in history.items():
        card = cards[id]
        assert [row["kind"] for row in rows].index("criado") == 0
        assert rows[0]["at"] == card["created_at"]
        assert rows[0]["from_stage_id"] is None
        for before, after in pairwise(rows):
            assert (after["from_stage_id"], after["from_name"]) == (
                before["to_stage_id"],
                before["to_name"],
            )
            assert before["left_at"] == after["entered_at"] == after["at"]
            assert before["seconds"] == int(
                (before["left_at"] - before["entered_at"]).total_seconds()
            )
        last = rows[-1]
        assert (last["to_stage_id"], last["entered_at"], last["left_at"], last["seconds"]) == (
            card["stage_id"],
            card["stage_since"],
            None,
            None,
        )
        assert card["version"] == len(rows)
        assert all(row["to_name"] == stages[row["to_stage_id"]]["name"] for row in rows)
        assert all(
            (row["lost_reason_id"] is not None) == (row["kind"] == "perdido") for row in rows
        )


async def test_no_two_deals_of_a_stage_stand_in_one_place(caller: Caller) -> None:
    cards = await rows_of(caller, "cards", 'created_at, rank COLLATE "C"')

    assert len({(card["stage_id"], card["rank"]) for card in cards}) == DEALS
    assert [card["rank"] for card in cards] == sorted(card["rank"] for card in cards)
    assert all(not card["rank"].endswith("0") and len(card["rank"]) <= 4 for card in cards)


async def test_deals_are_with_companies_and_people_who_were_there(caller: Caller) -> None:
    companies = {row["id"]: row for row in await rows_of(caller, "companies", "id")}
    people = {row["id"]: row for row in await rows_of(caller, "contacts", "id")}
    on_cards: dict[str, list[Any]] = {}
    for row in await rows_of(caller, "card_contacts", "position"):
        on_cards.setdefault(row["card_id"], []).append(row)

    cards = await rows_of(caller, "cards", "id")
    assert 0.5 * DEALS < sum(card["company_id"] is not None for card in cards) < 0.8 * DEALS
    for card in cards:
        listed = on_cards.get(card["id"], [])
        assert [row["principal"] for row in listed] == [True, False][: len(listed)]
        assert (listed[0]["contact_id"] if listed else None) == card["contact_id"]
        if card["company_id"]:
            assert companies[card["company_id"]]["created_at"] <= card["created_at"]
            assert all(
                people[row["contact_id"]]["company_id"] == card["company_id"] for row in listed
            )
    assert any(len(listed) == 2 for listed in on_cards.values())


async def test_money_has_cents_and_mostly_one_currency(caller: Caller) -> None:
    cards = await rows_of(caller, "cards", "id")
    values = [card["value"] for card in cards if card["value"] is not None]

    assert len(values) > 0.8 * DEALS
    assert min(values) > 0
    assert Counter(card["currency"] for card in cards)["BRL"] > 0.9 * DEALS


async def test_activities_lie_within_their_deal(caller: Caller) -> None:
    cards = {row["id"]: row for row in await rows_of(caller, "cards", "id")}
    activities = await rows_of(caller, "card_activities", "created_at")

    assert {row["kind"] for row in activities} == {"nota", "tarefa", "ligacao", "reuniao", "email"}
    for row in activities:
        card = cards[row["card_id"]]
        assert row["title"] or row["text"]
        assert (
            card["created_at"] <= row["created_at"] <= (card["won_at"] or card["lost_at"] or AS_OF)
        )
        assert row["updated_at"] == (row["done_at"] or row["created_at"])
        assert row["done_at"] is None or row["created_at"] <= row["done_at"] <= AS_OF
        assert row["due_at"] is None or row["due_at"] >= row["created_at"]
        assert (row["kind"] == "nota") == (row["due_at"] is None)
    waiting = [row for row in activities if row["due_at"] and row["done_at"] is None]
    assert any(row["due_at"] > AS_OF for row in waiting)
    assert any(row["due_at"] < AS_OF for row in waiting)


async def test_deals_need_neither_contacts_nor_companies() -> None:
    caller = await a_caller()

    assert (await a_seed(caller, deals=20))["deals"] == 20

    cards = await rows_of(caller, "cards", "id")
    assert {(card["contact_id"], card["company_id"]) for card in cards} == {(None, None)}


async def test_a_name_that_is_taken_gets_a_number() -> None:
    caller = await a_caller()
    await a_seed(caller, deals=5)
    await a_seed(caller, deals=5, seed=2)

    names = [row["name"] for row in await rows_of(caller, "pipelines", "position")]
    assert names == [f"{name}{behind}" for behind in ("", " 2") for name in names[:3]]


async def test_an_external_number_that_is_taken_is_left_out() -> None:
    caller, other = await a_caller(), await a_caller()
    await a_seed(other, deals=30)
    taken = next(
        row["external_id"] for row in await rows_of(other, "cards", "id") if row["external_id"]
    )
    await a_seed(caller, deals=1, seed=2)
    await db.execute(
        "UPDATE cards SET external_id = $1 WHERE organization_id = $2",
        taken,
        caller.organization_id,
    )

    assert (await a_seed(caller, deals=30))["deals"] == 30

    assert sum(row["external_id"] == taken for row in await rows_of(caller, "cards", "id")) == 1
