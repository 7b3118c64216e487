"""Templates and flows for tests."""

from typing import Any

from core import flows, templates
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.templates import Template, TemplateStatus
from tests.factories.numbers import a_number

Record = dict[str, Any]

BODY = {
    "type": "BODY",
    "payload": {"text": "Olá {{1}}, o pedido {{2}} saiu.", "example": ["Ana", "1042"]},
}


def a_new_template(number_id: str, **changes: Any) -> templates.NewTemplate:
    """Two variables in the body; `changes` are fields of the body by their name."""
    body = {
        "numberId": number_id,
        "name": f"pedido_{new_id('x').lower()}",
        "language": "pt-BR",
        "category": "utility",
        "components": [BODY],
        **changes,
    }
    return templates.NewTemplate.model_validate(body)


async def a_template(
    caller: Caller, number_id: str | None = None, *, status: str = "draft", **changes: Any
) -> Record:
    """A template of a number of its own, or of the one given, put into a status; answers the
    record.
    """
    if number_id is None:
        number_id = (await a_number(caller)).id
    record = await templates.create_template(caller, a_new_template(number_id, **changes))
    if status != TemplateStatus.DRAFT:
        await Template.filter(id=record["id"]).update(status=status)
    return {**record, "status": status}


async def the_template(id: str) -> Template:
    """The stored row."""
    return await Template.get(id=id)


def a_screen(id: str = "FIM", *children: Record, **changes: Any) -> Record:
    """A terminal screen with a heading and a footer, and what `children` add."""
    heading = {"type": "TextHeading", "text": "Pesquisa"}
    footer = {
        "type": "Footer",
        "label": "Enviar",
        "on-click-action": {"name": "complete", "payload": {}},
    }
    return {
        "id": id,
        "title": "Pesquisa",
        "terminal": True,
        "layout": {"type": "SingleColumnLayout", "children": [heading, *children, footer]},
        **changes,
    }


def a_new_flow(number_id: str, **changes: Any) -> flows.NewFlow:
    """One screen; `changes` are fields of the body by their name."""
    body = {
        "numberId": number_id,
        "name": "Pesquisa",
        "metaCategories": ["SURVEY"],
        "flowJson": {"screens": [a_screen()]},
        **changes,
    }
    return flows.NewFlow.model_validate(body)


async def a_flow(
    caller: Caller, number_id: str | None = None, *, active: bool = False, **changes: Any
) -> flows.FlowRecord:
    """A flow of a number of its own, or of the one given, published in the sandbox if asked;
    answers the record.
    """
    if number_id is None:
        number_id = (await a_number(caller)).id
    record = await flows.create_flow(caller, a_new_flow(number_id, **changes))
    return await flows.publish_flow(caller, record["id"]) if active else record
