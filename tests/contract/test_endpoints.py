"""Every endpoint row, replayed: who may call it, what it cannot read, whose records it knows, and
that it works.
"""

import re
from collections import defaultdict
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import httpx
import pytest

from core.foundation.database.pages import cursor_after
from core.foundation.security.caller import Env
from tests.contract.domains import ENDPOINTS
from tests.contract.replay import (
    SECRET,
    address_of,
    ask,
    nobody_reads,
    nothing_written,
    ready,
    undone,
)
from tests.contract.table import Endpoint
from tests.contract.world import NO_ID, NO_TEXT_OF_AN_ID, World, bearer
from tests.rest_api.problem_answers import must_not_hold, the_problem, wrong_fields

GARBLED = b'{"SEGREDO-4711": '
WHOLE_PHONE = re.compile(r"\+[1-9][0-9]{9,14}\b")
NOT_JSON = [
    b"",
    b" ",
    GARBLED,
    b"SEGREDO-4711=1",
    b'{"a": "\xff"}',
    b'{"a": "\\ud800"}',
    b'{"a": "\x00"}',
    b'{"a":' * 10_000,
    b"[" * 10_000,
]
NO_OBJECTS: list[Any] = [[], None, SECRET, 4711, True, [{}]]


def rows(of: list[Endpoint]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("endpoint", of, ids=lambda endpoint: endpoint.address)


WITH_CREDENTIAL = [endpoint for endpoint in ENDPOINTS if endpoint.by != "nobody"]
WITH_SCOPE = [endpoint for endpoint in ENDPOINTS if endpoint.scope is not None]
WITH_BODY = [endpoint for endpoint in ENDPOINTS if endpoint.fields]
# A ticket is the credential itself: whoever has it may use it.
WITH_ID = [endpoint for endpoint in ENDPOINTS if endpoint.ids and endpoint.by != "nobody"]
WITH_WRONG_PARAMETERS = [
    endpoint for endpoint in ENDPOINTS if any(endpoint.parameter_names.values())
]
WITH_CURSOR = [endpoint for endpoint in ENDPOINTS if "cursor" in endpoint.parameter_names]
LISTS = [endpoint for endpoint in ENDPOINTS if "limit" in endpoint.parameter_names]
WITH_KEY = [endpoint for endpoint in ENDPOINTS if endpoint.takes_key]
NAMES_A_RECORD = [endpoint for endpoint in ENDPOINTS if endpoint.unknown_is is not None]

METHODS: dict[str, set[str]] = defaultdict(set)
for row in ENDPOINTS:
    METHODS[row.path] |= {row.method, "OPTIONS"} | ({"HEAD"} if row.method == "GET" else set())


def unreadable_is(endpoint: Endpoint) -> int:
    """The status of a body that cannot be read."""
    return 400 if 400 in endpoint.statuses else 422


def wrong_is(endpoint: Endpoint) -> int:
    """The status of a readable value that is wrong."""
    return 422 if 422 in endpoint.statuses else 400


def lenient(endpoint: Endpoint) -> bool:
    """Neither is listed: what is wrong is left out, with a warning."""
    return not {400, 422} & endpoint.statuses


# Who may call -------------------------------------------------------------------------------------


@rows(WITH_CREDENTIAL)
async def test_without_a_good_credential_it_is_401(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    ids = dict.fromkeys(endpoint.ids, "x")
    query = dict.fromkeys(endpoint.parameter_names, SECRET)
    refused = {
        "ausente": {},
        "invalida": bearer("svc_live_nobody"),
        "": {"Authorization": "Basic c3ZjOg=="},
    }

    async with nothing_written():
        for reason, credential in refused.items():
            # The credential is looked at before the body.
            answer = await ask(
                rest, world, endpoint, credential, ids=ids, query=query, content=nobody_reads()
            )
            problem = the_problem(answer, 401)
            assert "errors" not in problem
            must_not_hold(answer, [SECRET])
            assert problem["meta"]["motivo"] == (reason or "invalida")
            assert answer.headers["www-authenticate"] == "Bearer"


@rows(WITH_SCOPE)
async def test_without_its_scope_it_is_403_and_the_scope_is_named(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    assert endpoint.scope is not None
    callers = await world.without(endpoint.scope)

    async with nothing_written():
        for credential in callers.values():
            plain = await ask(rest, world, endpoint, credential)
            unread = await ask(
                rest, world, endpoint, credential, content=nobody_reads(), query={"limit": SECRET}
            )
            for answer in (plain, unread):
                assert the_problem(answer, 403)["meta"] == {"escopoExigido": endpoint.scope}


# Whose records ------------------------------------------------------------------------------------


def bare(problem: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in problem.items() if name not in ("instance", "requestId")}


@rows(WITH_ID)
async def test_a_strange_id_is_404_like_one_that_was_never_given(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    own = await world.fill(endpoint.ids)
    credential = await world.credential(endpoint.by)

    for name, word in endpoint.ids.items():
        strange = await world.strange_ids(word[1:-1], both_environments=endpoint.both_environments)
        told = {}
        async with nothing_written():
            for text in NO_TEXT_OF_AN_ID:
                answer = await ask(rest, world, endpoint, credential, ids={**own, name: text})
                the_problem(answer, 404)
            for kind, id in strange.items():
                answer = await ask(rest, world, endpoint, credential, ids={**own, name: id})
                told[kind] = bare(the_problem(answer, 404))
                if kind not in NO_ID:
                    assert id not in answer.json()["detail"]
        assert all(problem == told["never given"] for problem in told.values()), (
            "an answer tells that a record exists"
        )


@rows(NAMES_A_RECORD)
async def test_a_strange_id_in_query_or_body_is_refused_as_its_row_says(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    credential = await world.credential(endpoint.by)
    (word,) = {
        value[1:-1]
        for value in [*endpoint.query.values(), *(endpoint.body or {}).values()]
        if str(value)[:1] == "<"
    }
    assert endpoint.unknown_is is not None
    await world.fill(endpoint.ids)

    for id in (
        await world.strange_ids(word, both_environments=endpoint.both_environments)
    ).values():
        world.records[word] = id
        async with nothing_written():
            the_problem(await ask(rest, world, endpoint, credential), endpoint.unknown_is)


@pytest.mark.parametrize("env", sorted({endpoint.env for endpoint in LISTS}))
async def test_a_list_never_shows_what_others_have(rest: httpx.AsyncClient, env: Env) -> None:
    world, lists = await World.open(env), [endpoint for endpoint in LISTS if endpoint.env == env]
    await world.everything()
    credentials = {by: await world.credential(by) for by in {endpoint.by for endpoint in lists}}

    async def answers(of: list[Endpoint]) -> dict[str, Any]:
        return {
            endpoint.address: (await ask(rest, world, endpoint, credentials[endpoint.by])).json()
            for endpoint in of
        }

    before = await answers(lists)
    await World((await World.open(env)).caller).everything()
    assert await answers(lists) == before

    of_one = [endpoint for endpoint in lists if not endpoint.both_environments]
    await World(world.in_the_other_environment()).everything()
    assert await answers(of_one) == {row.address: before[row.address] for row in of_one}


# The list of fields shows an example of a phone.
BY_KEY = [row for row in ENDPOINTS if row.by == "key" and row.path != "/contacts/fields"]


@rows([row for row in BY_KEY if row not in LISTS])
async def test_a_key_without_pii_full_sees_no_whole_phone(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    await ready(world, endpoint)

    answer = await ask(rest, world, endpoint, await world.key(without="pii:full"))

    assert answer.status_code == endpoint.status
    assert WHOLE_PHONE.findall(answer.text) == []


@pytest.mark.parametrize("env", sorted({endpoint.env for endpoint in LISTS}))
async def test_a_key_without_pii_full_sees_no_whole_phone_in_lists(
    rest: httpx.AsyncClient, env: Env
) -> None:
    world = await World.open(env)
    await world.everything()
    key = await world.key(without="pii:full")

    for endpoint in LISTS:
        if endpoint.env == env and endpoint in BY_KEY:
            answer = await ask(rest, world, endpoint, key)
            assert answer.status_code == endpoint.status, endpoint.address
            assert WHOLE_PHONE.findall(answer.text) == [], endpoint.address


# What cannot be read ------------------------------------------------------------------------------


Send = Callable[..., Awaitable[httpx.Response]]
"""The call that succeeds, but for what is told otherwise."""


@rows(WITH_BODY)
async def test_a_body_that_is_wrong_in_any_way_is_refused(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    ids, body = await world.fill(endpoint.ids), await world.fill(endpoint.body)
    send = partial(ask, rest, world, endpoint, await world.credential(endpoint.by), ids=ids)

    async with nothing_written():
        await a_body_that_is_no_json_is_refused_as_a_whole(send, endpoint)
        await json_that_is_no_object_is_wrong_at_its_root(send, endpoint)
        await a_body_beyond_its_size_is_413(send, endpoint)
        await an_unknown_field_is_named_and_its_value_is_not(send, endpoint, body)
        await every_field_of_the_wrong_type_is_named_at_once(send, endpoint)
        if endpoint.required:
            await every_required_field_is_named_when_it_is_missing(send, endpoint)


async def a_body_that_is_no_json_is_refused_as_a_whole(send: Send, endpoint: Endpoint) -> None:
    for content in NOT_JSON:
        if content == b"" and endpoint.optional_body:
            continue
        answer = await send(content=content)
        assert "errors" not in the_problem(answer, unreadable_is(endpoint))
        must_not_hold(answer, [SECRET])


async def json_that_is_no_object_is_wrong_at_its_root(send: Send, endpoint: Endpoint) -> None:
    for body in NO_OBJECTS:
        answer = await send(body=body)
        assert wrong_fields(the_problem(answer, wrong_is(endpoint))) == [
            ("pointer", "", "wrong_type")
        ]
        must_not_hold(answer, [SECRET])


async def a_body_beyond_its_size_is_413(send: Send, endpoint: Endpoint) -> None:
    # Told and not sent: what is too long by its own word is not read.
    too_long = {"Content-Length": str(endpoint.body_limit + 1)}
    at_most = {"Content-Length": str(endpoint.body_limit)}

    refused = await send(content=GARBLED, headers=too_long)
    read = await send(content=GARBLED, headers=at_most)

    assert the_problem(refused, 413)["code"] == "BAD_REQUEST"
    the_problem(read, unreadable_is(endpoint))


async def an_unknown_field_is_named_and_its_value_is_not(
    send: Send, endpoint: Endpoint, body: dict[str, Any]
) -> None:
    unknown = sorted({"nope", "env", "organizationId"} - set(endpoint.field_names))

    answer = await send(body={**body, "nope": SECRET, "env": SECRET, "organizationId": SECRET})

    named = wrong_fields(the_problem(answer, wrong_is(endpoint)))
    assert [error for error in named if error[2] == "unknown_field"] == [
        ("pointer", f"/{name}", "unknown_field") for name in unknown
    ]
    must_not_hold(answer, [SECRET])


async def every_field_of_the_wrong_type_is_named_at_once(send: Send, endpoint: Endpoint) -> None:
    body: dict[str, Any] = {
        name: SECRET if is_list else [SECRET] for name, is_list in endpoint.field_names.items()
    }

    answer = await send(body=body)

    named = {where for _, where, _ in wrong_fields(the_problem(answer, wrong_is(endpoint)))}
    assert named == {f"/{name}" for name in endpoint.field_names}
    must_not_hold(answer, [SECRET])


async def every_required_field_is_named_when_it_is_missing(send: Send, endpoint: Endpoint) -> None:
    answer = await send(body={})

    whole = [("pointer", "", endpoint.whole)] if endpoint.whole else []
    assert wrong_fields(the_problem(answer, wrong_is(endpoint))) == whole + [
        ("pointer", f"/{name}", "required")
        for name in sorted([*endpoint.required, *endpoint.one_of.split()])
    ]


@rows(WITH_WRONG_PARAMETERS)
async def test_every_wrong_parameter_is_named_at_once(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    credential = await world.credential(endpoint.by)
    wrong = sorted(name for name, can_be in endpoint.parameter_names.items() if can_be)
    query = {**await world.fill(endpoint.query), **dict.fromkeys(wrong, SECRET), "nope": SECRET}

    async with nothing_written():
        answer = await ask(rest, world, endpoint, credential, query=query)

    if lenient(endpoint):
        assert answer.status_code == endpoint.status
        ignored = [f"{name}_ignorado_invalido" for name in wrong]
        assert answer.json()["warnings"] == [*ignored, "parametro_desconhecido: nope"]
    else:
        named = wrong_fields(the_problem(answer, wrong_is(endpoint)))
        assert [(kind, where) for kind, where, _ in named] == [
            ("parameter", name) for name in wrong
        ]
    must_not_hold(answer, [SECRET])


@rows([row for row in ENDPOINTS if row.parameter_names and not lenient(row)])
async def test_a_parameter_that_is_no_text_is_named(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    credential = await world.credential(endpoint.by)
    needed = await world.fill(endpoint.query)

    async with nothing_written():
        for name in endpoint.parameter_names:
            query = {other: value for other, value in needed.items() if other != name}
            for raw, code in (("a%00b", "nul"), ("SEGREDO-4711%FF", "not_utf8")):
                answer = await ask(
                    rest, world, endpoint, credential, query=query, more_query=f"{name}={raw}"
                )
                problem = the_problem(answer, wrong_is(endpoint))
                assert wrong_fields(problem) == [("parameter", name, code)]
                must_not_hold(answer, [SECRET])


@rows([endpoint for endpoint in ENDPOINTS if endpoint.required_parameters])
async def test_every_required_parameter_is_named_when_it_is_missing(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    answer = await ask(rest, world, endpoint, await world.credential(endpoint.by), query={})

    assert wrong_fields(the_problem(answer, wrong_is(endpoint))) == [
        ("parameter", name, "required") for name in sorted(endpoint.required_parameters)
    ]


FORGED = [SECRET, cursor_after(datetime(2026, 1, 1, tzinfo=UTC), SECRET + "x" * 300)]
"""A text, and one too long for one of ours."""


@rows(WITH_CURSOR)
async def test_a_cursor_of_somebody_elses_making_never_leads_to_the_first_page(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    credential = await world.credential(endpoint.by)

    for cursor in FORGED:
        query = {**await world.fill(endpoint.query), "cursor": cursor}
        answer = await ask(rest, world, endpoint, credential, query=query)
        if lenient(endpoint):
            page = answer.json()
            assert (page["items"], page["warnings"], page.get("nextCursor")) == (
                [],
                ["cursor_invalido"],
                None,
            )
        else:
            problem = the_problem(answer, wrong_is(endpoint))
            assert wrong_fields(problem) == [("parameter", "cursor", "wrong_format")]
        must_not_hold(answer, [SECRET])


@rows(WITH_KEY)
async def test_an_idempotency_key_has_a_form(rest: httpx.AsyncClient, endpoint: Endpoint) -> None:
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    credential = await world.credential(endpoint.by)

    async with nothing_written():
        for key in ("", "x" * 256, "tab\there"):
            answer = await ask(rest, world, endpoint, credential, headers={"Idempotency-Key": key})
            (status,) = endpoint.of_the_key - {409}
            named = wrong_fields(the_problem(answer, status))
            assert named == [("header", "Idempotency-Key", "wrong_format")]
        if endpoint.key == "required":
            answer = await ask(rest, world, endpoint, credential, headers={"Idempotency-Key": ...})
            named = wrong_fields(the_problem(answer, 400))
            assert named == [("header", "Idempotency-Key", "required")]


@rows(WITH_BODY)
async def test_json_is_read_as_json_whatever_it_is_called(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    credential = await world.credential(endpoint.by)

    answer = await ask(
        rest,
        world,
        endpoint,
        credential,
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )

    assert answer.status_code == endpoint.status, answer.text


# Methods ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(METHODS))
async def test_another_method_is_405_and_allow_names_those_that_there_are(
    rest: httpx.AsyncClient, path: str
) -> None:
    endpoint = next(row for row in ENDPOINTS if row.path == path)
    address = address_of(endpoint, dict.fromkeys(endpoint.ids, "x"))

    for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} - METHODS[path]:
        answer = await rest.request(method, address)
        assert answer.status_code == 405
        assert answer.headers["allow"] == ", ".join(sorted(METHODS[path]))


# And it works -------------------------------------------------------------------------------------


@rows(ENDPOINTS)
async def test_a_good_call_is_answered_as_the_row_says(
    rest: httpx.AsyncClient, endpoint: Endpoint
) -> None:
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    credential = await world.credential(endpoint.by)
    query = {**await world.fill(endpoint.query), "nope": "an unknown name is left out"}

    answer = await ask(rest, world, endpoint, credential, query=query)

    # Its body is checked against the document by the client.
    assert answer.status_code == endpoint.status, answer.text
    if endpoint.again is not None:
        assert (await ask(rest, world, endpoint, credential)).status_code == endpoint.again
    if endpoint.optional_body:
        async with undone():
            world.records.clear()
            await ready(world, endpoint)
            assert (
                await ask(rest, world, endpoint, credential, content=b"")
            ).status_code == endpoint.status
    if endpoint.method == "DELETE" and endpoint.ids:
        again = await ask(rest, world, endpoint, credential)
        assert again.status_code == (endpoint.status if endpoint.record_stays else 404)
