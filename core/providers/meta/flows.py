"""Publishing and deprecating flows on the platform."""

from collections.abc import Mapping
from contextlib import suppress

import aiohttp
import orjson

from core.foundation.json_values import JsonObject, object_of, objects_of, text_of
from core.providers.meta.graph import GraphClient
from core.providers.meta.templates import account_of
from core.providers.meta.untrusted_json import id_of, word_of
from core.providers.platform import FlowDraft, SenderAccount, UpstreamError

# A flow that asks a server of ours for its screens; any other must not name the version of that
# protocol.
_ASKS_A_SERVER = b'"data_exchange"'

_WRONG_PARAMETER = "100"
"""Also the answer to a name that another flow of the account has."""

_MAX_PAGES = 20


async def publish(graph: GraphClient, sender: SenderAccount, draft: FlowDraft) -> str:
    """Create a flow, or give one new content, and publish it. Answers its id there; raises
    UpstreamError.

    A flow that this created and could not publish is removed again, as its name would stand in the
    way of the next try. Where an earlier try got through and its answer was lost, its flow is the
    answer: a name stands for one content, which the caller takes care of.
    """
    document = _document(draft.flow_json)
    named = {"name": draft.name, "categories": list(draft.categories)}
    if draft.flow_id is not None:
        await _replace(graph, sender, draft.flow_id, document)
        await graph.ask("POST", sender, draft.flow_id, body=named)
        await graph.ask("POST", sender, f"{draft.flow_id}/publish", body={})
        return draft.flow_id
    body = {**named, "flow_json": document.decode()}
    try:
        answer = await graph.ask("POST", sender, f"{account_of(sender)}/flows", body=body)
    except UpstreamError as refused:
        taken = refused.code == _WRONG_PARAMETER
        existing = await _find(graph, sender, draft.name) if taken else None
        if existing is None:
            raise
        if word_of(existing, "status") == "PUBLISHED":
            return str(existing["id"])
        answer = existing
    created = id_of(answer, "id")
    if created is None:
        raise UpstreamError("200", "The platform's answer cannot be read.", retryable=True)
    try:
        _check(answer)
        await graph.ask("POST", sender, f"{created}/publish", body={})
    except UpstreamError:
        with suppress(UpstreamError):
            await graph.ask("DELETE", sender, created)
        raise
    return created


async def _find(graph: GraphClient, sender: SenderAccount, name: str) -> JsonObject | None:
    """The flow of this name that is there already, published or still to be published."""
    query = {"fields": "id,name,status,validation_errors", "limit": "100"}
    for _ in range(_MAX_PAGES):
        answer = await graph.ask("GET", sender, f"{account_of(sender)}/flows", query=query)
        for one in objects_of(answer, "data"):
            if (
                text_of(one, "name") == name
                and id_of(one, "id")
                and word_of(one, "status") in ("DRAFT", "PUBLISHED")
            ):
                return one
        paging = object_of(answer, "paging")
        after = text_of(object_of(paging, "cursors"), "after")
        if after is None or "next" not in paging:
            return None
        query["after"] = after
    return None


async def deprecate(graph: GraphClient, sender: SenderAccount, flow_id: str) -> None:
    """Take a published flow out of use, for good. Raises UpstreamError."""
    await graph.ask("POST", sender, f"{flow_id}/deprecate", body={})


async def _replace(
    graph: GraphClient, sender: SenderAccount, flow_id: str, document: bytes
) -> None:
    form = aiohttp.FormData()
    form.add_field("name", "flow.json")
    form.add_field("asset_type", "FLOW_JSON")
    form.add_field("file", document, filename="flow.json", content_type="application/json")
    _check(await graph.ask("POST", sender, f"{flow_id}/assets", form=form))


def _check(answer: JsonObject) -> None:
    """The platform stores a flow with errors and names them; they speak of our customer's document
    only.
    """
    errors = [
        text for one in objects_of(answer, "validation_errors") if (text := text_of(one, "message"))
    ]
    if errors:
        raise UpstreamError("validation", "; ".join(errors)[:500])


def _document(flow_json: Mapping[str, object]) -> bytes:
    document = orjson.dumps(dict(flow_json))
    if _ASKS_A_SERVER in document:
        return document
    return orjson.dumps(
        {name: value for name, value in flow_json.items() if name != "data_api_version"}
    )
