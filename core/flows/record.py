"""A flow as the interface spells it."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict, cast

from core.flows.inputs import FlowJson, FlowScreen
from core.flows.models import Flow, FlowCategory, FlowStatus, MetaStatus
from core.foundation.records import Column, Doc, Id, Instant, Made, Page, Record, named


@named(rest="ShownLayout")
class LayoutRecord(TypedDict):
    """What stands on a screen, as it was written."""

    type: Annotated[Literal["SingleColumnLayout"], Doc("How its parts lie: in one column")]
    children: Annotated[list[dict[str, Any]], Doc("The parts, from top to bottom")]


@named(rest="ShownScreen")
class ScreenRecord(TypedDict):
    """One screen."""

    id: Annotated[str, Doc("Names the screen in the flow")]
    title: NotRequired[Annotated[str, Doc("What stands above it")]]
    terminal: NotRequired[Annotated[bool, Doc("The flow may end here")]]
    success: NotRequired[Annotated[bool, Doc("Ending here means that the flow succeeded")]]
    refresh_on_back: NotRequired[
        Annotated[bool, Doc("Its data are asked for again when the person comes back to it")]
    ]
    sensitive: NotRequired[
        Annotated[list[str], Doc("The fields whose answers are not shown in the summary")]
    ]
    data: NotRequired[Annotated[dict[str, Any], Doc("Declares what `${data.…}` on it may name")]]
    layout: NotRequired[Annotated[LayoutRecord, Doc("What stands on it")]]


@named(rest="ShownFlowJson")
class FlowJsonRecord(TypedDict):
    """The screens and the ways between them, in the platform's own words."""

    version: Annotated[str, Doc("The version of the platform's language of flows")]
    data_api_version: Annotated[str, Doc("The version of the platform's exchange of data")]
    routing_model: NotRequired[
        Annotated[dict[str, list[str]], Doc("From each screen to those that may follow it")]
    ]
    screens: Annotated[list[ScreenRecord], Doc("The screens")]


SHOWN = tuple(FlowJson.model_fields)
SHOWN_OF_A_SCREEN = tuple(FlowScreen.model_fields)


def shown_json(flow_json: Mapping[str, Any]) -> FlowJsonRecord:
    """The fields that the interface knows: what the service or an editor keeps beside them is never
    shown.
    """
    shown = {name: flow_json[name] for name in SHOWN if name in flow_json}
    screens = [
        {name: screen[name] for name in SHOWN_OF_A_SCREEN if name in screen}
        for screen in shown.get("screens", ())
    ]
    return cast(FlowJsonRecord, {**shown, "screens": screens})


def _unknown(value: str, names: tuple[str, ...]) -> str:
    """The SQL of what is not to be shown of an object."""
    return f"({value} - '{{{','.join(names)}}}'::text[])"


SHOWN_JSON = f"""
CASE WHEN {_unknown("flow_json", SHOWN)} = '{{}}' AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(flow_json->'screens') of WHERE {_unknown("of", SHOWN_OF_A_SCREEN)} <> '{{}}')
THEN flow_json::text
ELSE (flow_json - ARRAY(SELECT jsonb_object_keys({_unknown("flow_json", SHOWN)})) || jsonb_build_object('screens', (
        SELECT coalesce(jsonb_agg(of.screen - ARRAY(SELECT jsonb_object_keys({_unknown("of.screen", SHOWN_OF_A_SCREEN)}))
                                  ORDER BY of.place), '[]')
        FROM jsonb_array_elements(flow_json->'screens') WITH ORDINALITY AS of (screen, place))))::text
END"""
"""The same in SQL. Most have nothing that is not to be shown."""


@named(rest="FlowRecord", graphql="Flow")
class FlowRecord(TypedDict):
    """A form of several screens inside a conversation."""

    id: Annotated[Id, Doc("Names the flow")]
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    numberId: Annotated[Id, Doc("The number that it is sent from")]
    name: Annotated[str, Doc("What it is called")]
    description: NotRequired[Annotated[str, Doc("What it is for, in your own words")]]
    status: Annotated[FlowStatus, Doc("How far it has come here")]
    version: Annotated[int, Doc("Counts its versions, from 1")]
    versaoDe: NotRequired[
        Annotated[Id, Column("version_of"), Doc("The published flow that it began as")]
    ]
    metaFlowId: NotRequired[Annotated[str, Doc("The platform's id of the flow")]]
    metaStatus: NotRequired[Annotated[MetaStatus, Doc("How the platform sees it")]]
    metaCategories: Annotated[list[FlowCategory], Doc("What it is for, in the platform's words")]
    flowJson: Annotated[
        FlowJsonRecord,
        Made(shown_json, ("flow_json",), sql=SHOWN_JSON),
        Doc("The screens and the ways between them, in the platform's own words"),
    ]
    publishedAt: NotRequired[Annotated[Instant, Doc("When it was published")]]
    createdAt: Annotated[Instant, Doc("When it was created")]
    updatedAt: Annotated[Instant, Doc("When it was last changed")]


FLOW = Record(FlowRecord)


class FlowPage(Page[FlowRecord]):
    """A page of flows, newest first."""


def flow_record(flow: Flow) -> FlowRecord:
    """The record of a flow. Fields without a value are absent."""
    return FLOW.make(vars(flow), unmasked=True)
