"""Validation of the graph of steps: unique ids, known targets, no cycle, all reachable."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.foundation.absent import without_none

Place = tuple[str | int, ...]


Step = Mapping[str, Any]
"""A step as the interface spells it."""

WAYS = ("seOcorrer", "seExpirar", "seSim", "seNao", "seOk", "seFalhar")
"""The settings of a step that name another one."""


def ways_of(step: Step) -> dict[Place, str]:
    """The ids of the steps that may come next, by their place within the step."""
    config = step.get("config") or {}
    named: dict[Place, str | None] = {
        ("proximo",): step.get("proximo"),
        **{("config", way): config.get(way) for way in WAYS},
        **{
            ("config", "ramos", place, "proximo"): branch.get("proximo")
            for place, branch in enumerate(config.get("ramos", ()))
        },
    }
    return without_none(named)


@dataclass(frozen=True, slots=True)
class GraphDefect:
    """A fault, at its place below the journey."""

    place: Place
    code: str
    message: str


def defects(steps: Sequence[Step], entry: str | None) -> list[GraphDefect]:
    """Everything that is wrong with a graph, in the order of its steps."""
    places = {step["id"]: place for place, step in reversed(list(enumerate(steps)))}
    found = [*_repeated_ids(steps, places), *_unknown_targets(steps, places)]
    wrong_entry = _entry_defect(steps, entry, places)
    if wrong_entry is not None:
        return [*found, wrong_entry]
    if found or entry is None:
        return found
    reached, circles = _walk({step["id"]: step for step in steps}, entry)
    return [*_cycles(circles, places), *_unreachable(steps, reached)]


def _repeated_ids(steps: Sequence[Step], places: Mapping[str, int]) -> Iterator[GraphDefect]:
    for place, step in enumerate(steps):
        if places[step["id"]] != place:
            yield GraphDefect(
                ("passos", place, "id"), "repeated", "Give every step an id of its own"
            )


def _unknown_targets(steps: Sequence[Step], places: Mapping[str, int]) -> Iterator[GraphDefect]:
    for place, step in enumerate(steps):
        for way, id in ways_of(step).items():
            if id not in places:
                yield GraphDefect(
                    ("passos", place, *way),
                    "PASSO_DESCONHECIDO",
                    "There is no step with this id",
                )


def _entry_defect(
    steps: Sequence[Step], entry: str | None, places: Mapping[str, int]
) -> GraphDefect | None:
    """A journey without steps needs no entry."""
    if entry is None and steps:
        return GraphDefect(("entradaPasso",), "required", "Name the step that a run begins with")
    if entry is not None and entry not in places:
        return GraphDefect(("entradaPasso",), "PASSO_DESCONHECIDO", "There is no step with this id")
    return None


def _cycles(
    circles: Sequence[tuple[str, Place]], places: Mapping[str, int]
) -> Iterator[GraphDefect]:
    for id, way in circles:
        yield GraphDefect(
            ("passos", places[id], *way),
            "CICLO",
            "This way leads back to a step that comes before it",
        )


def _unreachable(steps: Sequence[Step], reached: Container[str]) -> Iterator[GraphDefect]:
    for place, step in enumerate(steps):
        if step["id"] not in reached:
            yield GraphDefect(
                ("passos", place, "id"), "PASSO_INALCANCAVEL", "No way leads to this step"
            )


def in_order(steps: Sequence[Step], entry: str | None) -> list[str]:
    """The ids of the steps as a run may meet them, each once, the first way first."""
    nodes = {step["id"]: step for step in steps}
    return list(_walk(nodes, entry)[0]) if entry in nodes else []


def _walk(
    nodes: Mapping[str, Step], entry: str | None
) -> tuple[dict[str, None], list[tuple[str, Place]]]:
    """The steps that are reached, in the order of a walk in depth, and the ways that lead back."""
    assert entry is not None
    reached: dict[str, None] = {entry: None}
    circles: list[tuple[str, Place]] = []
    on_the_way = {entry}
    stack: list[tuple[str, Iterator[tuple[Place, str]]]] = [
        (entry, iter(ways_of(nodes[entry]).items()))
    ]
    while stack:
        id, left = stack[-1]
        for way, following in left:
            if following in on_the_way:
                circles.append((id, way))
            elif following not in reached:
                reached[following] = None
                on_the_way.add(following)
                stack.append((following, iter(ways_of(nodes[following]).items())))
                break
        else:
            stack.pop()
            on_the_way.discard(id)
    return reached, circles
