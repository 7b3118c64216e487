"""Cards for tests, through the use cases; bodies are written as on the wire."""

from typing import Any

import orjson

from core import cards
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_body, read_query
from tests.factories.pipelines import a_pipeline, stage_ids


class Deals:
    """A pipeline with the stages Novo, Proposta, Ganho and Perdido, or others, and the cards on it."""

    def __init__(self, caller: Caller, pipeline: dict[str, Any]) -> None:
        self.caller = caller
        self.pipeline = pipeline
        self.id: str = pipeline["id"]
        self.stages = stage_ids(pipeline)
        self.reasons: dict[str, str] = {one["texto"]: one["id"] for one in pipeline["motivos"]}

    async def card(self, stage: str = "Novo", **fields: Any) -> dict[str, Any]:
        """A new card in a stage."""
        body = {
            "titulo": "Um negócio",
            "pipelineId": self.id,
            "etapaId": self.stages[stage],
            **fields,
        }
        return dict(
            await cards.create_card(self.caller, read_body(cards.NewCard, orjson.dumps(body)))
        )

    async def several(self, count: int, stage: str = "Novo") -> list[str]:
        """Their ids, in their order in the stage."""
        return [
            (await self.card(stage, titulo=f"Negócio {number}"))["id"] for number in range(count)
        ]

    async def move(self, id: str, stage: str, **fields: Any) -> dict[str, Any]:
        """`{card, movimento?}`."""
        body = {"etapaId": self.stages[stage], **fields}
        return dict(
            await cards.move_card(self.caller, id, read_body(cards.CardMove, orjson.dumps(body)))
        )

    async def change(self, id: str, **fields: Any) -> dict[str, Any]:
        return dict(
            await cards.change_card(
                self.caller, id, read_body(cards.CardChanges, orjson.dumps(fields))
            )
        )

    async def win(self, id: str, **fields: Any) -> dict[str, Any]:
        return dict(
            await cards.win_card(self.caller, id, read_body(cards.CardWin, orjson.dumps(fields)))
        )

    async def lose(self, id: str, **fields: Any) -> dict[str, Any]:
        return dict(
            await cards.lose_card(self.caller, id, read_body(cards.CardLoss, orjson.dumps(fields)))
        )

    async def reopen(self, id: str, **fields: Any) -> dict[str, Any]:
        return dict(
            await cards.reopen_card(
                self.caller, id, read_body(cards.CardReopening, orjson.dumps(fields))
            )
        )

    async def transfer(self, id: str, to: "Deals", **fields: Any) -> dict[str, Any]:
        body = {"pipelineId": to.id, **fields}
        return dict(
            await cards.transfer_card(
                self.caller, id, read_body(cards.CardTransfer, orjson.dumps(body))
            )
        )

    async def batch(self, ids: list[str], stage: str, **fields: Any) -> dict[str, Any]:
        """`{movidos, erros}`."""
        body = {"cardIds": ids, "etapaId": self.stages[stage], **fields}
        return dict(
            await cards.move_cards(self.caller, read_body(cards.CardBatch, orjson.dumps(body)))
        )

    async def read(self, id: str) -> dict[str, Any]:
        return dict(await cards.get_card(self.caller, id))

    async def history(self, id: str, **query: str) -> list[dict[str, Any]]:
        """The lines of a card, newest first."""
        page = await cards.list_history(
            self.caller, id, read_query(cards.HistoryFilter, query.items())
        )
        items: list[dict[str, Any]] = page["items"]
        return items

    async def listed(self, **query: str) -> dict[str, Any]:
        """A page, by the parameters of the query."""
        return dict(
            await cards.list_cards(self.caller, read_query(cards.CardFilter, query.items()))
        )

    async def column(self, stage: str) -> list[str]:
        """The ids of the cards of a stage, in their order."""
        page = await self.listed(etapaId=self.stages[stage], limit="100")
        return [item["id"] for item in page["items"]]


STAGES: list[dict[str, Any]] = [
    {"nome": "Novo", "probabilidade": 10, "tempoMaximoDias": 7},
    {"nome": "Proposta", "probabilidade": 60},
    {"nome": "Ganho", "resultado": "ganho"},
    {"nome": "Perdido", "resultado": "perda"},
]


async def some_deals(caller: Caller, **changes: Any) -> Deals:
    """A pipeline of four stages; `changes` are fields of its body."""
    return Deals(caller, await a_pipeline(caller, **{"etapas": STAGES, **changes}))


def demanding(*fields: str, stage: str = "Proposta") -> list[dict[str, Any]]:
    """The usual stages, one of which demands these fields."""
    return [
        {**one, "camposObrigatorios": list(fields)} if one["nome"] == stage else one
        for one in STAGES
    ]
