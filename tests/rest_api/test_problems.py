"""The pages behind the `type` of every problem."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import core
from core.flows import FlowCategory
from core.foundation.errors import ServiceError
from core.foundation.validation.field_messages import WORDS
from core.templates.validation.buttons import BUTTON_KINDS, OTP_KINDS
from core.templates.validation.components import KINDS as COMPONENT_KINDS
from rest_api.app import OPERATIONS
from rest_api.problems import content
from rest_api.problems.content import slugs
from rest_api.problems.error_catalogue import ERROR_DOCS
from rest_api.problems.error_doc import At, ErrorDoc
from rest_api.problems.field_codes import FIELD_CODES
from rest_api.problems.kinds import KINDS
from rest_api.support.problems import STATUS, as_listed, slug, status_of
from tests.factories.organizations import a_key

CORE = Path(core.__file__).parent
NO_REFUSALS = (
    "conversations/reasons.py",
    "foundation/settings/",
    "numbers/health.py",
    "numbers/sender_accounts.py",
    "numbers/models.py",
    "numbers/notices.py",
    "providers/meta/",
    "webhooks/events/samples.py",
    "providers/amazon/",
    "sms/amazon/",
)
"""Files and folders of the core whose words in capitals are names of other things."""
WORD = re.compile(r"[A-Z]{2,}(_[A-Z]+)+")
NAMES_OF_THE_PLATFORM = {*FlowCategory, *BUTTON_KINDS, *OTP_KINDS, *COMPONENT_KINDS}
"""Words in capitals of flows and templates that are no refusals."""
VARIABLES = {
    "NO_COLOR",
    "DATABASE_URL",
    "SVC_HEAVY_DATABASE_URL",
    "SVC_PLANNED_DATABASE_URL",
    "PGCONNECT_TIMEOUT",
}
"""Variables of the environment that a sentence of the core may name."""


def trees() -> Iterator[tuple[Path, ast.Module]]:
    """Every module of the core, read."""
    for path in CORE.rglob("*.py"):
        if "migrations" not in path.parts:
            yield path.relative_to(CORE), ast.parse(path.read_text(encoding="utf-8"))


def kinds_of_refusals(kind: type[ServiceError] = ServiceError) -> Iterator[type[ServiceError]]:
    """Every class of refusal in the core."""
    for one in kind.__subclasses__():
        if one.__module__.startswith("core."):
            yield one
            yield from kinds_of_refusals(one)


def test_every_kind_of_refusal_has_a_page() -> None:
    for module in pkgutil.walk_packages(core.__path__, "core."):
        if ".migrations" not in module.name:
            importlib.import_module(module.name)
    kinds = set(kinds_of_refusals())

    assert len(kinds) > 30
    assert {kind.code for kind in kinds} == {kind.code for kind in KINDS} == set(STATUS)
    assert {slug(kind.code) for kind in kinds} <= set(slugs())


def test_every_refinement_that_the_core_knows_has_a_page() -> None:
    found: set[str] = set()
    for path, tree in trees():
        if _names_others(path):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {node.value} if WORD.fullmatch(node.value) else set()
            elif isinstance(node, ast.Dict):
                found |= _values(node, "motivo") | _values(node, "code")

    refinements = found - set(STATUS) - NAMES_OF_THE_PLATFORM - VARIABLES
    assert {"opt_out", "CHAVE_REUTILIZADA"} <= refinements
    assert refinements - {cause.refinement for cause in ERROR_DOCS} == set(), (
        "add a row to rest_api/problems/error_catalogue/"
    )


def _names_others(path: Path) -> bool:
    return path.name == "__init__.py" or path.as_posix().startswith(NO_REFUSALS)


def _values(node: ast.Dict, name: str) -> set[str]:
    return {
        value.value
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == name
        if isinstance(value, ast.Constant) and isinstance(value.value, str)
    }


def test_every_code_of_a_wrong_field_is_explained() -> None:
    found = {code for code, _ in WORDS.values()}
    for _, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                place = {"PydanticCustomError": 0, "FieldError": 2}.get(node.func.id)
                code = node.args[place] if place is not None and len(node.args) > place else None
                if isinstance(code, ast.Constant) and isinstance(code.value, str):
                    found.add(code.value)

    explained = set(FIELD_CODES) | {cause.refinement for cause in ERROR_DOCS}
    assert found - explained == set(), "add a row to rest_api/problems/field_codes.py"


@pytest.mark.parametrize(
    "cause", ERROR_DOCS, ids=lambda cause: f"{cause.sample.code} {cause.refinement}"
)
def test_a_row_of_the_catalogue_is_a_sentence_and_leads_somewhere(cause: ErrorDoc) -> None:
    assert cause.meaning.endswith(".")
    assert cause.remedy.endswith(".")
    if isinstance(cause.where, At):
        known = {f"{operation.method} {operation.path}": operation for operation in OPERATIONS}
        for address in cause.where.addresses:
            listed = known[address].errors
            assert status_of(as_listed(cause.sample, listed)) in {*listed, 413, 500, 503}, address


async def test_the_type_of_a_problem_is_the_address_of_its_page(rest: httpx.AsyncClient) -> None:
    refused = await rest.get("/v2/sms/messages")

    page = await rest.get(refused.json()["type"])

    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "<h1>UNAUTHORIZED</h1>" in page.text


@pytest.mark.parametrize("name", sorted(slugs()))
async def test_a_page_stands_alone(rest: httpx.AsyncClient, name: str) -> None:
    page = await rest.get(f"/problems/{name}")

    assert page.status_code == 200
    assert page.headers["content-security-policy"].startswith(
        "default-src 'none'; style-src 'sha256-"
    )
    assert "<script" not in page.text
    assert not re.search(r"(?:src|href)=[\"']?https?:", page.text)
    assert 'href="/docs"' in page.text
    for address in re.findall(r'href="(/problems/[^"]+)"', page.text):
        assert address.removeprefix("/problems/") in slugs()


@pytest.mark.parametrize(
    "accepted", ["application/json", "application/problem+json", "application/problem+json, */*"]
)
async def test_a_program_gets_the_page_as_json(rest: httpx.AsyncClient, accepted: str) -> None:
    answer = await rest.get("/problems/CONFLICT", headers={"Accept": accepted})

    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert "Accept" in answer.headers["vary"].split(", ")
    body = answer.json()
    assert (body["code"], body["status"]) == ("CONFLICT", 409)
    assert body["url"] == "http://svc.test/problems/conflict"
    reused = [cause for cause in body["causes"] if cause.get("refinement") == "CHAVE_REUTILIZADA"]
    assert reused[0]["example"]["meta"] == {"code": "CHAVE_REUTILIZADA"}


@pytest.mark.parametrize("accepted", ["", "*/*", "text/html,application/json;q=0.9"])
async def test_everybody_else_gets_html(rest: httpx.AsyncClient, accepted: str) -> None:
    answer = await rest.get("/problems/conflict", headers={"Accept": accepted})

    assert answer.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("spelling", ["opt_out", "opt-out", "OPT_OUT"])
async def test_a_refinement_is_found_in_its_own_spelling_too(
    rest: httpx.AsyncClient, spelling: str
) -> None:
    answer = await rest.get(f"/problems/{spelling}", headers={"Accept": "application/json"})

    assert answer.json()["refinement"] == "opt_out"
    assert answer.json()["causes"][0]["code"] == "VALIDATION_ERROR"


async def test_the_index_names_every_code_and_refinement(rest: httpx.AsyncClient) -> None:
    page = await rest.get("/problems")
    listed = (await rest.get("/problems", headers={"Accept": "application/json"})).json()

    assert [item["code"] for item in listed["items"]] == list(STATUS)
    assert {item["refinement"] for item in listed["refinements"]} == {
        c.refinement for c in ERROR_DOCS if c.refinement
    }
    for name in slugs():
        assert f'href="/problems/{name}"' in page.text


async def test_an_unknown_code_has_no_page(rest: httpx.AsyncClient) -> None:
    answer = await rest.get("/problems/%3Cscript%3E")

    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")
    assert "script" not in answer.json()["detail"]


async def test_an_example_is_what_the_service_answers(rest: httpx.AsyncClient) -> None:
    headers = {"Authorization": f"Bearer {await a_key()}", "Idempotency-Key": "k"}
    body = {"to": "+5511987650005", "body": "Hello", "route": "premium"}
    await rest.post("/v2/sms/messages", json=body, headers=headers)
    refused = (
        await rest.post("/v2/sms/messages", json={**body, "body": "Bye"}, headers=headers)
    ).json()

    page = (
        await rest.get("/problems/chave-reutilizada", headers={"Accept": "application/json"})
    ).json()

    example = page["causes"][0]["example"]
    assert refused["meta"].pop("decisaoId"), "its trace, where it is a send"
    assert {
        **example,
        "requestId": refused["requestId"],
        "instance": refused["instance"],
    } == refused


@pytest.mark.parametrize("media", ["text/html", "application/json"])
async def test_the_pages_are_portuguese_where_that_is_asked_for(
    rest: httpx.AsyncClient, media: str
) -> None:
    asked = {"Accept": media, "Accept-Language": "pt-BR,pt;q=0.9,en;q=0.8"}
    for path, said in {
        "/problems": "A carteira não cobre o preço",
        "/problems/validation-error": "Falta o campo.",
        "/problems/vinculo-invalido": "Confira",
    }.items():
        answer = await rest.get(path, headers=asked)
        assert said in answer.text
        assert answer.headers["content-language"] == "pt-BR"
        assert answer.headers["vary"] == "Accept, Accept-Encoding, Accept-Language"
        assert "VALIDATION_ERROR" in answer.text


def test_no_sentence_of_a_portuguese_page_stays_english() -> None:
    for name in slugs():
        english, portuguese = content.page(name), content.page(name, "pt-BR")
        assert english is not None
        assert portuguese is not None
        for mine, theirs in zip(english["causes"], portuguese["causes"], strict=True):
            assert mine["meaning"] != theirs["meaning"]
            assert mine["whatToDo"] != theirs["whatToDo"]
            assert mine["example"]["detail"] != theirs["example"]["detail"]
            assert mine["example"]["code"] == theirs["example"]["code"]
