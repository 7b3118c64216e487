"""Validation of routes between screens: no cycle, and every screen is reachable."""

from collections.abc import Mapping, Sequence

from core.flows.validation.children import LayoutChild
from core.flows.validation.findings import FlowReport, Place
from core.foundation.json_values import object_of, value_of

Ways = Mapping[str, Sequence[str]]


def validate_routes(
    ids: Sequence[str],
    written: Ways | None,
    children: Sequence[Sequence[LayoutChild]],
    report: FlowReport,
) -> None:
    """`children` are those of each screen. Where no ways are `written` down, they are those that
    the children lead.
    """
    led = _led(ids, children, report)
    if written is not None:
        if _known(ids, written, report):
            _follow(ids, written, ("routing_model",), report)
    elif not any(
        _action(child).get("name") == "data_exchange" for inside in children for child in inside
    ):
        _follow(ids, led, ("screens",), report)
    elif len(ids) > 1:
        report.doubt(
            ("routing_model",), "required", "Where data is exchanged, routing_model tells the ways"
        )


def _action(child: LayoutChild) -> Mapping[str, object]:
    return object_of(child.value, "on-click-action")


def _led(
    ids: Sequence[str], children: Sequence[Sequence[LayoutChild]], report: FlowReport
) -> dict[str, list[str]]:
    """Where the children of each screen lead."""
    led: dict[str, list[str]] = {id: [] for id in ids}
    for id, inside in zip(ids, children, strict=True):
        for child in inside:
            target = value_of(_action(child).get("next"), "name")
            if isinstance(target, str) and target in led:
                led[id].append(target)
            elif target is not None:
                place = (*child.place, "on-click-action", "next", "name")
                report.wrong(place, "unknown_screen", "No screen has this id")
    return led


def _known(ids: Sequence[str], written: Ways, report: FlowReport) -> bool:
    places: list[tuple[str, Place]] = []
    for id, targets in written.items():
        places.append((id, ("routing_model", id)))
        places += [(target, ("routing_model", id, index)) for index, target in enumerate(targets)]
    unknown = [place for id, place in places if id not in ids]
    for place in unknown:
        report.wrong(place, "unknown_screen", "No screen has this id")
    return not unknown


def _follow(ids: Sequence[str], ways: Ways, place: Place, report: FlowReport) -> None:
    """A flow begins at the first screen that no way leads to. `place` is where the ways are
    written.
    """
    if _turn_back(ids, ways):
        report.wrong(
            place, "cycle", "A way leads back to a screen that it came from; ways only lead forward"
        )
        return
    led_to = {target for targets in ways.values() for target in targets}
    reached = _reached_from(next(id for id in ids if id not in led_to), ways)
    for index, id in enumerate(ids):
        if id not in reached:
            report.wrong(
                ("screens", index), "unreachable", "No way leads from the first screen to this one"
            )


def _turn_back(ids: Sequence[str], ways: Ways) -> bool:
    """Screens that lead nowhere are taken away again and again: what is left lies in a circle, or
    leads to one.
    """
    left = {id: set(ways.get(id, ())) for id in ids}
    while ends := [id for id, targets in left.items() if not targets]:
        for end in ends:
            del left[end]
        for targets in left.values():
            targets.difference_update(ends)
    return bool(left)


def _reached_from(begin: str, ways: Ways) -> set[str]:
    reached, waiting = {begin}, [begin]
    while waiting:
        for target in ways.get(waiting.pop(), ()):
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached
