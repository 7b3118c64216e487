"""What keeps a flow from being published, and what is only doubtful."""

from typing import Any

import pytest

from core.flows.inputs import FlowJson, NewFlow
from core.flows.validation import validate_flow_json
from core.flows.validation.findings import MAX_FINDINGS
from core.foundation.errors import ValidationFailed
from core.foundation.validation.inputs import read_body
from tests.factories.templates import a_screen

Record = dict[str, Any]


def to(screen: str) -> Record:
    """A link to a screen."""
    action = {"name": "navigate", "next": {"type": "screen", "name": screen}}
    return {"type": "EmbeddedLink", "text": "Mais", "on-click-action": action}


def middle(id: str, *children: Record, **changes: Any) -> Record:
    """A screen at which the flow does not end."""
    layout = {
        "type": "SingleColumnLayout",
        "children": [{"type": "TextBody", "text": "x"}, *children],
    }
    return {"id": id, "title": "Pesquisa", "layout": layout, **changes}


def look(*screens: Record, **more: Any) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The errors and the warnings, by pointer and code."""
    report = validate_flow_json(
        FlowJson.model_validate({"screens": list(screens), **more}).stored()
    )
    prefix = len("/flowJson")
    return (
        {(one.pointer[prefix:], one.code) for one in report.errors},
        {(one.pointer[prefix:], one.code) for one in report.warnings},
    )


def field(name: Any = "nome", **changes: Any) -> Record:
    return {"type": "TextInput", "name": name, "label": "Nome", **changes}


CHILDREN = "/screens/0/layout/children"


@pytest.mark.parametrize(
    ("screens", "more"),
    [
        ([a_screen()], {}),
        ([middle("A", to("FIM")), a_screen()], {}),
        ([a_screen(), middle("A", to("FIM"))], {}),
        (
            [middle("A"), middle("B"), a_screen()],
            {"routing_model": {"A": ["B", "FIM"], "B": ["FIM"]}},
        ),
        ([middle("A"), a_screen()], {"routing_model": {"A": ["FIM"], "FIM": []}}),
        (
            [
                a_screen(
                    "FIM",
                    {"type": "TextBody", "text": "Olá ${data.nome}"},
                    data={"nome": {"type": "string"}},
                )
            ],
            {},
        ),
        ([a_screen(title="${data.t}", data={"t": {"type": "string"}})], {}),
        (
            [
                middle("A", to("FIM"), data={"x": {}}),
                a_screen("FIM", {"type": "TextBody", "text": "${screen.A.data.x} ${form.nome}"}),
            ],
            {},
        ),
        (
            [a_screen("FIM", {"type": "Form", "name": "f", "children": [field(), field("idade")]})],
            {},
        ),
        (
            [
                a_screen(
                    "FIM",
                    {
                        "type": "If",
                        "condition": "${data.x}",
                        "then": [field()],
                        "else": [field("b")],
                    },
                    {"type": "Switch", "value": "${data.x}", "cases": {"a": [field("c")]}},
                    data={"x": {}},
                )
            ],
            {},
        ),
    ],
)
def test_nothing_is_wrong_with(screens: list[Record], more: Record) -> None:
    assert look(*screens, **more) == (set(), set())


@pytest.mark.parametrize(
    ("screens", "more", "errors"),
    [
        ([], {}, {("/screens", "too_few")}),
        ([a_screen(), a_screen(terminal=False)], {}, {("/screens/1/id", "duplicate")}),
        ([middle("A")], {}, {("/screens", "terminal_missing")}),
        (
            [middle("A", to("FIM"), to("B")), a_screen(), a_screen("B")],
            {},
            {("/screens/2/terminal", "terminal_twice")},
        ),
        ([middle("A"), a_screen()], {}, {("/screens/1", "unreachable")}),
        ([middle("A"), a_screen()], {"routing_model": {}}, {("/screens/1", "unreachable")}),
        (
            [middle("A", to("B")), middle("B", to("A")), a_screen()],
            {},
            {("/screens", "cycle")},
        ),
        (
            [middle("A"), a_screen()],
            {"routing_model": {"A": ["A", "FIM"]}},
            {("/routing_model", "cycle")},
        ),
        (
            [middle("A"), a_screen()],
            {"routing_model": {"A": ["FIM", "X"], "a/b": []}},
            {("/routing_model/A/1", "unknown_screen"), ("/routing_model/a~1b", "unknown_screen")},
        ),
        (
            [a_screen("FIM", to("X"))],
            {},
            {(f"{CHILDREN}/1/on-click-action/next/name", "unknown_screen")},
        ),
        ([a_screen(layout=None)], {}, {("/screens/0/layout", "required")}),
        (
            [a_screen("FIM", {"type": "TextBody", "text": "Olá ${data.nome}"}, data={"x": {}})],
            {},
            {(f"{CHILDREN}/1/text", "undeclared")},
        ),
        ([a_screen(title="${data.t}")], {}, {("/screens/0/title", "undeclared")}),
        (
            [a_screen("FIM", {"type": "TextBody", "text": "${screen.X.data.y}"})],
            {},
            {(f"{CHILDREN}/1/text", "undeclared")},
        ),
        (
            [
                a_screen(
                    "FIM",
                    {"type": "Dropdown", "name": "d", "label": "D", "data-source": "${data.d}"},
                )
            ],
            {},
            {(f"{CHILDREN}/1/data-source", "undeclared")},
        ),
        ([a_screen("FIM", {"text": "x"})], {}, {(f"{CHILDREN}/1/type", "required")}),
        ([a_screen("FIM", {"type": 1})], {}, {(f"{CHILDREN}/1/type", "wrong_type")}),
        (
            [a_screen("FIM", {"type": "TextInput", "label": "x"})],
            {},
            {(f"{CHILDREN}/1/name", "required")},
        ),
        ([a_screen("FIM", field(1))], {}, {(f"{CHILDREN}/1/name", "wrong_type")}),
        ([a_screen("FIM", field(), field())], {}, {(f"{CHILDREN}/2/name", "duplicate")}),
        (
            [a_screen("FIM", field(), {"type": "Form", "name": "f", "children": [field()]})],
            {},
            {(f"{CHILDREN}/2/children/0/name", "duplicate")},
        ),
        (
            [a_screen("FIM", {"type": "If", "condition": "true", "then": "x", "else": ["y"]})],
            {},
            {(f"{CHILDREN}/1/then", "wrong_type"), (f"{CHILDREN}/1/else/0", "wrong_type")},
        ),
        (
            [a_screen("FIM", {"type": "Switch", "value": "x", "cases": {"a": [field(None)]}})],
            {},
            {(f"{CHILDREN}/1/cases/a/0/name", "required")},
        ),
    ],
)
def test_it_is_wrong_and_named(
    screens: list[Record], more: Record, errors: set[tuple[str, str]]
) -> None:
    assert look(*screens, **more)[0] == errors


@pytest.mark.parametrize(
    ("screens", "warnings"),
    [
        ([a_screen("FIM", {"type": "Hologram"})], {(f"{CHILDREN}/1/type", "unknown_type")}),
        ([a_screen("FIM", {"type": "TextBody"})], {(f"{CHILDREN}/1/text", "required")}),
        ([a_screen("F1")], {("/screens/0/id", "wrong_format")}),
        ([a_screen(title=None)], {("/screens/0/title", "required")}),
        (
            [a_screen(layout={"type": "SingleColumnLayout", "children": []})],
            {("/screens/0/layout/children", "too_few"), ("/screens/0/layout", "footer_missing")},
        ),
        (
            [
                middle(
                    "A",
                    {"type": "Footer", "label": "x", "on-click-action": {"name": "data_exchange"}},
                ),
                a_screen(),
            ],
            {("/routing_model", "required")},
        ),
    ],
)
def test_it_is_doubtful_but_not_wrong(
    screens: list[Record], warnings: set[tuple[str, str]]
) -> None:
    assert look(*screens) == (set(), warnings)


def test_everything_is_named_at_once() -> None:
    errors, _ = look(
        middle("A", field(None)),
        middle("A"),
        a_screen("FIM", {"type": "TextBody", "text": "${data.x}"}),
    )

    assert errors == {
        (f"{CHILDREN}/1/name", "required"),
        ("/screens/1/id", "duplicate"),
        ("/screens/2/layout/children/1/text", "undeclared"),
        ("/screens/2", "unreachable"),
    }


def test_a_million_findings_are_not_all_told() -> None:
    inside = {"type": "Form", "name": "f", "children": [1] * 5_000 + [{"type": "Strange"}] * 5_000}
    report = validate_flow_json(
        FlowJson.model_validate({"screens": [a_screen("FIM", inside)]}).stored()
    )

    assert (len(report.errors), len(report.warnings)) == (MAX_FINDINGS, MAX_FINDINGS)
    assert report.record()["valido"] is False


@pytest.mark.parametrize(
    ("written", "where", "code"),
    [
        ('{"data": {"x": [1' + "0" * 30 + "]}}", "/flowJson/screens/0/data", "too_large"),
        ('{"data": {"x": {"y": NaN}}}', "/flowJson/screens/0/data", "not_finite"),
        (
            '{"layout": {"type": "SingleColumnLayout", "children": [{"x": 1e999}]}}',
            "",
            "not_finite",
        ),
        ('{"data": {"x": [' + "0," * 20_000 + "0]}}", "/flowJson", "too_large"),
    ],
)
def test_what_cannot_be_held_is_refused(written: str, where: str, code: str) -> None:
    screen = '{"id": "A", ' + written[1:]
    body = '{"numberId": "num_x", "name": "f", "flowJson": {"screens": [' + screen + "]}}"

    with pytest.raises(ValidationFailed) as refusal:
        read_body(NewFlow, body.encode())

    place = where or "/flowJson/screens/0/layout/children/0"
    assert [(error.where, error.code) for error in refusal.value.errors] == [(place, code)]
