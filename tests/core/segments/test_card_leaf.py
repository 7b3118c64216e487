"""The condition about deals."""

from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from core import segments
from core.cards.models import Card
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from core.segments import Filter
from tests.factories.cards import Deals, some_deals
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact


class People:
    """Ana is on an open deal and on a won one, Bia among the people of a lost one, Nil on none."""

    def __init__(self, caller: Caller, deals: Deals) -> None:
        self.caller, self.deals = caller, deals
        self.ids: dict[str, str] = {}

    async def settle(self) -> None:
        for name in ("ana", "bia", "nil"):
            self.ids[name] = await stored_contact(self.caller)
        old = await self.deals.card(contatoId=self.ids["ana"])
        await Card.filter(id=old["id"]).update(stage_since=now() - timedelta(days=5, hours=1))
        await self.deals.card("Ganho", contatoId=self.ids["ana"])
        await self.deals.card("Perdido", contatos=[{"contatoId": self.ids["bia"]}])
        await self.deals.card("Proposta")

    async def matching(self, operator: str, value: Any = None) -> set[str]:
        condition = {
            "field": "card",
            "operator": operator,
            **({} if value is None else {"value": value}),
        }
        found = await segments.preview(
            self.caller, Filter.model_validate({"filters": [condition]}, by_alias=True)
        )
        return {name for name, id in self.ids.items() if id in found["sample"]}


@pytest.fixture
async def people(clean_slate: None) -> People:
    caller = await a_caller()
    people = People(caller, await some_deals(caller))
    await people.settle()
    return people


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"pipeline": "<pipeline>"}, {"ana", "bia"}),
        ({"pipeline": "pip_x"}, set()),
        ({"stage": "<Novo>"}, {"ana"}),
        ({"stage": "<Perdido>"}, {"bia"}),
        ({"stage": "<Proposta>"}, set()),
        ({"status": "aberto"}, {"ana"}),
        ({"status": "perdido"}, {"bia"}),
        ({"diasNaEtapa": 0}, {"ana", "bia"}),
        ({"diasNaEtapa": 5}, {"ana"}),
        ({"diasNaEtapa": 6}, set()),
        ({"status": "ganho", "diasNaEtapa": 5}, set()),
        (
            {"pipeline": "<pipeline>", "stage": "<Ganho>", "status": "ganho", "diasNaEtapa": 0},
            {"ana"},
        ),
    ],
)
async def test_a_card_fits_by_everything_that_is_asked(
    people: People, asked: dict[str, Any], expected: set[str]
) -> None:
    real = {"<pipeline>": people.deals.id} | {
        f"<{name}>": id for name, id in people.deals.stages.items()
    }
    value = {name: real.get(one, one) for name, one in asked.items()}

    assert await people.matching("is", value) == expected
    assert await people.matching("isNot", value) == people.ids.keys() - expected


async def test_a_contact_is_on_any_card_or_on_none(people: People) -> None:
    assert await people.matching("exists") == {"ana", "bia"}
    assert await people.matching("notExists") == {"nil"}


@pytest.mark.parametrize("whose", ["another organization", "the other environment"])
async def test_cards_of_others_do_not_count(people: People, whose: str) -> None:
    other = await (
        a_caller()
        if whose == "another organization"
        else a_caller("live", organization_id=people.caller.organization_id)
    )
    await Card.all().update(organization_id=other.organization_id, env=other.env)

    assert await people.matching("exists") == set()


@pytest.mark.parametrize(
    "value",
    [
        None, {}, "crd_x", {"status": "won"}, {"status": None}, {"pipeline": 1}, {"stage": ["etp_x"]},
        {"diasNaEtapa": -1}, {"diasNaEtapa": True}, {"diasNaEtapa": 1.5}, {"diasNaEtapa": 36_501}, {"cor": "azul"},
    ],
)  # fmt: skip
def test_what_is_asked_has_a_form(value: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        Filter.model_validate(
            {"filters": [{"field": "card", "operator": "is", "value": value}]}, by_alias=True
        )

    assert refused.value.errors()[0]["loc"][-1] == "value"
