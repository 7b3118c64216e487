"""What a measurement found, for people and for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that was measured. The unit is part of a value's name."""

    name: str
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure that we hold ourselves to. `wish` is what we would like beyond it."""

    name: str
    value: float
    kind: Literal["at least", "at most"]
    limit: float
    wish: float | None = None

    @property
    def met(self) -> bool:
        return self.value >= self.limit if self.kind == "at least" else self.value <= self.limit

    def as_json(self) -> dict[str, Any]:
        wish = {} if self.wish is None else {"wish": self.wish}
        return {
            "name": self.name,
            "value": self.value,
            "kind": self.kind,
            "limit": self.limit,
            "met": self.met,
            **wish,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """All of one measurement. `notes` say under what conditions the figures hold."""

    name: str
    rows: Sequence[Row]
    goals: Sequence[Goal] = ()
    notes: Sequence[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Rows by name, goals, notes."""
        return {
            "name": self.name,
            "rows": {row.name: dict(row.values) for row in self.rows},
            "goals": [goal.as_json() for goal in self.goals],
            "notes": list(self.notes),
        }


def show(report: Report, console: Console) -> None:
    """Print a report for people."""
    console.print(_figures(report))
    for note in report.notes:
        console.print(f"  [dim]{note}[/dim]", highlight=False)
    if report.goals:
        console.print(_goals(report.goals))
    console.print()


def _figures(report: Report) -> Table:
    table = Table(
        title=report.name, title_justify="left", title_style="bold", box=None, header_style="dim"
    )
    table.add_column("")
    names = list(dict.fromkeys(name for row in report.rows for name in row.values))
    for name in names:
        table.add_column(name, justify="right")
    for row in report.rows:
        table.add_row(row.name, *(_figure(row.values.get(name)) for name in names))
    return table


def _goals(goals: Sequence[Goal]) -> Table:
    table = Table(box=None, header_style="dim")
    for heading in ("goal", "", "limit", "wish", ""):
        table.add_column(heading, justify="right" if heading in ("limit", "wish", "") else "left")
    for goal in goals:
        verdict = "[green]met[/green]" if goal.met else "[red]missed[/red]"
        limit = f"{goal.kind} {_figure(goal.limit)}"
        table.add_row(goal.name, _figure(goal.value), limit, _figure(goal.wish), verdict)
    return table


def _figure(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
