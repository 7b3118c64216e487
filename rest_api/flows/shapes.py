"""The flow shapes."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from core.flows import FlowCategory, FlowStatus, MetaStatus
from rest_api.support.shapes import Listed, Out, Timestamp


class _AsThePlatformWrites(Out):
    model_config = ConfigDict(alias_generator=None)


class ShownLayout(_AsThePlatformWrites):
    """What stands on a screen, as it was written."""

    type: Literal["SingleColumnLayout"]
    children: list[dict[str, Any]]


class ShownScreen(_AsThePlatformWrites):
    """One screen."""

    id: str
    title: str | None = None
    terminal: bool | None = None
    success: bool | None = None
    refresh_on_back: bool | None = None
    sensitive: list[str] | None = None
    data: dict[str, Any] | None = None
    layout: ShownLayout | None = None


class ShownFlowJson(_AsThePlatformWrites):
    """The screens and the ways between them."""

    version: str
    data_api_version: str
    routing_model: dict[str, list[str]] | None = None
    screens: list[ShownScreen]


class FlowRecord(Out):
    """A flow. `metaStatus` is how the platform sees it; `versaoDe` the published flow that it began
    as.
    """

    id: str
    organization_id: str
    number_id: str
    name: str
    description: str | None = None
    status: FlowStatus
    version: int = Field(ge=1)
    versao_de: str | None = None
    meta_flow_id: str | None = None
    meta_status: MetaStatus | None = None
    meta_categories: list[FlowCategory]
    flow_json: ShownFlowJson
    published_at: Timestamp | None = None
    created_at: Timestamp
    updated_at: Timestamp


class FlowPage(Listed):
    """A page of flows, newest first."""

    items: list[FlowRecord]
    total: int
    next_cursor: str | None = None


class FlowFinding(Out):
    """A place in the flow and what is to be said about it."""

    pointer: str = Field(description="JSON Pointer in the record")
    codigo: str
    mensagem: str


class FlowValidation(Out):
    """`erros` keep the flow from being published, `avisos` do not."""

    valido: bool
    erros: list[FlowFinding]
    avisos: list[FlowFinding]
