"""Random cards on a pipeline, and the numbers of its summary by a plain calculation, card by card."""

from collections import defaultdict
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from random import Random
from typing import Any

from core.cards.models import Card
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from tests.factories.stored_cards import a_stay, a_stored_card


class Board:
    """Random cards that wandered about on a pipeline."""

    def __init__(self, seed: int, caller: Caller, pipeline: dict[str, Any]) -> None:
        self.random = Random(seed)
        self.caller, self.pipeline = caller, pipeline
        self.cards: list[Card] = []
        self.walks: dict[str, list[tuple[dict[str, Any], datetime, datetime | None]]] = {}

    async def fill(self, count: int) -> None:
        for _ in range(count):
            await self._a_card()

    async def _a_card(self) -> None:
        random = self.random
        at = created = now() - timedelta(seconds=random.randint(0, 120 * 86_400))
        walk: list[tuple[dict[str, Any], datetime, datetime | None]] = []
        stops = random.choices(self.pipeline["etapas"], k=random.randint(1, 5))
        for place, stage in enumerate(stops):
            left = at + timedelta(seconds=random.randint(1, 10 * 86_400))
            last = place == len(stops) - 1
            walk.append((stage, at, None if last else left))
            at = at if last else left
        stage = stops[-1]
        reasons = [None, *(one["id"] for one in self.pipeline["motivos"])]
        card = await a_stored_card(
            self.caller,
            stage,
            created_at=created,
            stage_since=at,
            value=random.choice([None, Decimal(random.randint(0, 10**9)) / 100]),
            currency=random.choice(["BRL", "USD", "EUR"]),
            probability=random.choice([None, random.randint(0, 100)]),
            expected_on=random.choice(
                [None, date(2026, random.randint(1, 12), random.randint(1, 28))]
            ),
            owner_id=random.choice([None, "acc_1", "acc_2"]),
            won_at=at if stage["resultado"] == "ganho" else None,
            lost_at=at if stage["resultado"] == "perda" else None,
            lost_reason_id=random.choice(reasons) if stage["resultado"] == "perda" else None,
        )
        for where, since, until in walk[:-1]:
            await a_stay(card, where, at=since, until=until)
        self.cards.append(card)
        self.walks[card.id] = walk


def expected(board: Board, since: datetime, until: datetime, owner: str | None) -> dict[str, Any]:
    """The summary, card by card and in fractions."""
    chosen = [
        card
        for card in board.cards
        if since <= card.created_at <= until and (owner is None or card.owner_id == owner)
    ]
    stages = {stage["id"]: stage for stage in board.pipeline["etapas"]}
    return {
        "etapas": [expected_stage(board, chosen, stage) for stage in stages.values()],
        "totais": expected_totals(chosen, stages),
        "motivos": expected_reasons(board, chosen),
        "previsao": expected_forecast(chosen, stages),
    }


def weight(card: Card, stage: dict[str, Any]) -> Fraction:
    own: int = stage.get("probabilidade", 0) if card.probability is None else card.probability
    percent: int = {"ganho": 100, "perda": 0}.get(stage["resultado"], own)
    return Fraction(card.value or 0) * percent / 100


def cents(amount: Fraction) -> float:
    exact = Decimal(amount.numerator) / Decimal(amount.denominator)
    return float(exact.quantize(Decimal("0.01"), ROUND_HALF_UP))


def whole(seconds: list[Fraction]) -> int:
    mean = sum(seconds, Fraction(0)) / len(seconds)
    return int(
        (Decimal(mean.numerator) / Decimal(mean.denominator)).quantize(Decimal(1), ROUND_HALF_UP)
    )


def currencies(cards: list[Card]) -> list[str]:
    return sorted({card.currency for card in cards if card.value is not None})


def exact_seconds(length: timedelta) -> Fraction:
    return Fraction(length // timedelta(microseconds=1), 10**6)


def expected_stage(board: Board, chosen: list[Card], stage: dict[str, Any]) -> dict[str, Any]:
    here = [card for card in chosen if card.stage_id == stage["id"]]
    rank = {one["id"]: place for place, one in enumerate(board.pipeline["etapas"])}
    entered = advanced = 0
    stays: list[Fraction] = []
    for card in chosen:
        walk = board.walks[card.id]
        visits = [place for place, (where, _, _) in enumerate(walk) if where["id"] == stage["id"]]
        for place in visits:
            _, came, left = walk[place]
            if left is not None:
                stays.append(Fraction(round((left - came).total_seconds())))
        if visits:
            entered += 1
            later = [where for where, _, _ in walk[visits[0] + 1 :]]
            advanced += stage["resultado"] == "aberta" and any(
                where["resultado"] == "ganho"
                or (where["resultado"] == "aberta" and rank[where["id"]] > rank[stage["id"]])
                for where in later
            )
    late = [
        card
        for card in here
        if stage["resultado"] == "aberta"
        and (now() - card.stage_since).days > stage.get("tempoMaximoDias", 10**9)
    ]
    figures: dict[str, Any] = {
        "etapaId": stage["id"],
        "nome": stage["nome"],
        "quantidade": len(here),
        "atrasados": len(late),
        "valores": [
            {
                "moeda": currency,
                "valor": cents(
                    sum(
                        (Fraction(c.value or 0) for c in here if c.currency == currency),
                        Fraction(0),
                    )
                ),
                "valorPonderado": cents(
                    sum((weight(c, stage) for c in here if c.currency == currency), Fraction(0))
                ),
            }
            for currency in currencies(here)
        ],
        "entraram": entered,
        "avancaram": advanced,
    }
    if stays:
        figures["tempoMedioSegundos"] = whole(stays)
    if stage["resultado"] == "aberta" and entered:
        figures["taxaAvanco"] = round(advanced / entered, 4)
    return figures


def expected_totals(chosen: list[Card], stages: dict[str, Any]) -> dict[str, Any]:
    of = {
        outcome: [card for card in chosen if stages[card.stage_id]["resultado"] == outcome]
        for outcome in ("aberta", "ganho", "perda")
    }
    figures: dict[str, Any] = {
        "abertos": len(of["aberta"]),
        "ganhos": len(of["ganho"]),
        "perdidos": len(of["perda"]),
        "valores": [
            {
                "moeda": currency,
                **{
                    name: cents(
                        sum(
                            (Fraction(c.value or 0) for c in of[outcome] if c.currency == currency),
                            Fraction(0),
                        )
                    )
                    for name, outcome in (
                        ("aberto", "aberta"),
                        ("ganho", "ganho"),
                        ("perdido", "perda"),
                    )
                },
                "ponderado": cents(
                    sum(
                        (
                            weight(c, stages[c.stage_id])
                            for c in of["aberta"]
                            if c.currency == currency
                        ),
                        Fraction(0),
                    )
                ),
            }
            for currency in currencies(chosen)
        ],
    }
    if of["ganho"]:
        figures["cicloMedioSegundos"] = whole(
            [exact_seconds(card.won_at - card.created_at) for card in of["ganho"] if card.won_at]
        )
    if closed := len(of["ganho"]) + len(of["perda"]):
        figures["taxaGanho"] = round(len(of["ganho"]) / closed, 4)
    return figures


def expected_reasons(board: Board, chosen: list[Card]) -> list[dict[str, Any]]:
    found = []
    for reason in board.pipeline["motivos"]:
        lost = [card for card in chosen if card.lost_reason_id == reason["id"]]
        if lost:
            sums = [
                {
                    "moeda": currency,
                    "valor": cents(
                        sum(
                            (Fraction(c.value or 0) for c in lost if c.currency == currency),
                            Fraction(0),
                        )
                    ),
                }
                for currency in currencies(lost)
            ]
            found.append(
                {
                    "motivoId": reason["id"],
                    "texto": reason["texto"],
                    "quantidade": len(lost),
                    "valores": sums,
                }
            )
    return sorted(found, key=lambda one: -one["quantidade"])


def expected_forecast(chosen: list[Card], stages: dict[str, Any]) -> list[dict[str, Any]]:
    months: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for card in chosen:
        stage = stages[card.stage_id]
        if (
            stage["resultado"] == "aberta"
            and card.expected_on is not None
            and card.value is not None
        ):
            months[f"{card.expected_on:%Y-%m}", card.currency] += weight(card, stage)
    return [
        {"mes": month, "moeda": currency, "ponderado": cents(sum)}
        for (month, currency), sum in sorted(months.items())
    ]
