"""Validation of a whole `flowJson`: ids, terminals, screens, references, routes."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from core.flows.validation.children import LayoutChild, children_of, texts_in, validate_child
from core.flows.validation.findings import FlowReport, Place
from core.flows.validation.routes import validate_routes

DATA = re.compile(r"\$\{data\.([A-Za-z0-9_-]+)")
DATA_OF_SCREEN = re.compile(r"\$\{screen\.([A-Za-z0-9_-]+)\.data\.([A-Za-z0-9_-]+)")
SCREEN_ID = re.compile(r"[A-Za-z_]+")


def validate_flow_json(flow_json: Mapping[str, Any]) -> FlowReport:
    """Everything there is to say about a stored `flowJson`."""
    report = FlowReport()
    screens = flow_json["screens"]
    if not screens:
        report.wrong(("screens",), "too_few", "A flow has at least one screen")
        return report
    children = [list(_children(screen, index, report)) for index, screen in enumerate(screens)]
    _validate_ids(screens, report)
    _validate_terminals(screens, children, report)
    for index, screen in enumerate(screens):
        _validate_screen(screen, index, children[index], screens, report)
    ids = [screen["id"] for screen in screens]
    validate_routes(ids, flow_json.get("routing_model"), children, report)
    return report


def _children(screen: Mapping[str, Any], index: int, report: FlowReport) -> Iterable[LayoutChild]:
    place: Place = ("screens", index, "layout")
    layout = screen.get("layout")
    if layout is None:
        report.wrong(place, "required", "A screen has a layout")
        return ()
    if not layout["children"]:
        report.doubt((*place, "children"), "too_few", "There is nothing on this screen")
    return children_of(layout["children"], (*place, "children"), report)


def _validate_ids(screens: list[Mapping[str, Any]], report: FlowReport) -> None:
    seen = set()
    for index, screen in enumerate(screens):
        place: Place = ("screens", index, "id")
        if screen["id"] in seen:
            report.wrong(place, "duplicate", "Another screen has this id")
        seen.add(screen["id"])
        if not SCREEN_ID.fullmatch(screen["id"]) or screen["id"] == "SUCCESS":
            report.doubt(
                place,
                "wrong_format",
                "The platform takes letters and _ here, and keeps SUCCESS for itself",
            )


def _validate_terminals(
    screens: list[Mapping[str, Any]], children: list[list[LayoutChild]], report: FlowReport
) -> None:
    terminals = [index for index, screen in enumerate(screens) if screen.get("terminal")]
    if not terminals:
        report.wrong(
            ("screens",), "terminal_missing", "Exactly one screen is terminal: there the flow ends"
        )
    for index in terminals[1:]:
        report.wrong(
            ("screens", index, "terminal"), "terminal_twice", "Another screen is terminal already"
        )
    for index in terminals:
        if not any(child.value.get("type") == "Footer" for child in children[index]):
            report.doubt(
                ("screens", index, "layout"),
                "footer_missing",
                "The platform wants a Footer where a flow ends",
            )


def _validate_screen(
    screen: Mapping[str, Any],
    index: int,
    children: list[LayoutChild],
    screens: list[Mapping[str, Any]],
    report: FlowReport,
) -> None:
    place: Place = ("screens", index)
    if not screen.get("title"):
        report.doubt((*place, "title"), "required", "The platform wants a title on each screen")
    names = set()
    for child in children:
        validate_child(child, report)
        name = child.value.get("name")
        if isinstance(name, str) and name in names:
            report.wrong(
                (*child.place, "name"), "duplicate", "Something else on this screen has this name"
            )
        names.add(name if isinstance(name, str) else None)
    declared = {one["id"]: (one.get("data") or {}).keys() for one in screens}
    said = [
        (screen.get("title", ""), (*place, "title")),
        *texts_in(screen.get("layout"), (*place, "layout")),
    ]
    for text, where in said:
        if any(name not in declared[screen["id"]] for name in DATA.findall(text)):
            report.wrong(
                where, "undeclared", "What ${data.…} names is declared in the data of the screen"
            )
        if any(name not in declared.get(id, ()) for id, name in DATA_OF_SCREEN.findall(text)):
            report.wrong(
                where,
                "undeclared",
                "What ${screen.….data.…} names is declared in the data of that screen",
            )
