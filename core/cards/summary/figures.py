"""The figures of a summary from groups of cards; sums are exact, rounded where shown."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, TypedDict

from core.cards.summary.record import Forecast, ReasonFigures, StageFigures, Totals
from core.foundation.database.rows import column
from core.pipelines.models import LostReason, Outcome, Stage


class Group(TypedDict):
    """Cards of a stage that are alike in outcome, reason, month and currency, with their sums."""

    stage_id: str
    outcome: Outcome
    reason_id: str | None
    month: str | None
    currency: str
    priced: int
    cards: int
    late: int
    value: Decimal
    weighted: Decimal
    cycle: Decimal


class Stays(TypedDict):
    """How cards went through a stage."""

    stage_id: str
    entered: int
    advanced: int
    seconds: Decimal | None


CENT = Decimal("0.01")


def stage_figures(
    stages: Iterable[Stage], groups: Sequence[Group], stays: Mapping[str, Stays]
) -> list[StageFigures]:
    """One entry per stage, in their order."""
    return [
        _stage(stage, [one for one in groups if one["stage_id"] == stage.id], stays.get(stage.id))
        for stage in stages
    ]


def _stage(stage: Stage, groups: Sequence[Group], stays: Stays | None) -> StageFigures:
    entered = stays["entered"] if stays else 0
    is_open = stage.outcome is Outcome.OPEN
    advanced = (
        stays["advanced"] if stays and is_open else 0
    )  # nothing lies behind a stage that closes deals
    figures: StageFigures = {
        "etapaId": stage.id,
        "nome": stage.name,
        "quantidade": _cards(groups),
        "atrasados": sum(column(groups, "late")),
        "valores": _money(
            groups,
            {"valor": lambda one: one["value"], "valorPonderado": lambda one: one["weighted"]},
        ),
        "entraram": entered,
        "avancaram": advanced,
    }
    if stays and (seconds := _whole(stays["seconds"])) is not None:
        figures["tempoMedioSegundos"] = seconds
    if is_open and (share := _share(advanced, entered)) is not None:
        figures["taxaAvanco"] = share
    return figures


def totals(groups: Sequence[Group]) -> Totals:
    """All stages together."""
    won = [one for one in groups if one["outcome"] == Outcome.WON]
    opened, closed = (
        _cards(_of(groups, Outcome.OPEN)),
        _cards(won) + _cards(_of(groups, Outcome.LOST)),
    )
    cycle: Decimal = sum((column(won, "cycle")), Decimal(0))
    figures: Totals = {
        "abertos": opened,
        "ganhos": _cards(won),
        "perdidos": closed - _cards(won),
        "valores": _money(
            groups,
            {
                "aberto": _value_if(Outcome.OPEN),
                "ponderado": lambda one: (
                    one["weighted"] if one["outcome"] == Outcome.OPEN else Decimal(0)
                ),
                "ganho": _value_if(Outcome.WON),
                "perdido": _value_if(Outcome.LOST),
            },
        ),
    }
    if (share := _share(_cards(won), closed)) is not None:
        figures["taxaGanho"] = share
    if won and (seconds := _whole(cycle / _cards(won))) is not None:
        figures["cicloMedioSegundos"] = seconds
    return figures


def reason_figures(reasons: Iterable[LostReason], groups: Sequence[Group]) -> list[ReasonFigures]:
    """The reasons that deals were lost for, the most frequent first."""
    figures: list[ReasonFigures] = []
    for reason in reasons:
        lost = [one for one in groups if one["reason_id"] == reason.id]
        if lost:
            figures.append(
                {
                    "motivoId": reason.id,
                    "texto": reason.text,
                    "quantidade": _cards(lost),
                    "valores": _money(lost, {"valor": lambda one: one["value"]}),
                }
            )
    return sorted(figures, key=lambda one: -one["quantidade"])


def forecast(groups: Sequence[Group]) -> list[Forecast]:
    """What open deals are expected to bring, month by month."""
    months: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    for one in groups:
        if one["month"] is not None and one["priced"]:
            months[one["month"], one["currency"]] += one["weighted"]
    return [
        {"mes": month, "moeda": currency, "ponderado": _cents(weighted)}
        for (month, currency), weighted in sorted(months.items())
    ]


def _of(groups: Sequence[Group], outcome: Outcome) -> list[Group]:
    return [one for one in groups if one["outcome"] == outcome]


def _cards(groups: Sequence[Group]) -> int:
    return sum(column(groups, "cards"))


def _money(groups: Sequence[Group], wanted: Mapping[str, Callable[[Group], Decimal]]) -> list[Any]:
    """Sums by currency, for those that a deal has a value in."""
    priced = [one for one in groups if one["priced"]]
    return [
        {"moeda": currency}
        | {
            name: _cents(
                sum((of(one) for one in priced if one["currency"] == currency), Decimal(0))
            )
            for name, of in wanted.items()
        }
        for currency in sorted(set(column(priced, "currency")))
    ]


def _value_if(outcome: Outcome) -> Callable[[Group], Decimal]:
    return lambda one: one["value"] if one["outcome"] == outcome else Decimal(0)


def _cents(amount: Decimal) -> float:
    return float(amount.quantize(CENT, ROUND_HALF_UP))


def _whole(seconds: Decimal | None) -> int | None:
    return None if seconds is None else int(seconds.quantize(Decimal(1), ROUND_HALF_UP))


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
