"""Every example of the pages is true: it runs against a real service and answers what is printed
under it.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
from itertools import count, zip_longest
from pathlib import Path
from typing import Any

import pytest

from core.webhooks.signing.signature import sign
from rest_api.app import OPERATIONS
from rest_api.openapi import document
from tests.docs.fits import misfits, read_documents
from tests.docs.markdown import Block, blocks_of
from tests.docs.pages import GUIDE, PAGES, README, SUBSCRIPTIONS, WEBHOOKS
from tests.docs.reader import Reader
from tests.docs.shell import Exchange
from tests.rest_api.contract import must_fit
from tests.support.processes import ROOT
from tests.support.waiting import eventually

EACH_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
NOT_RUN = json.loads(Path(__file__).with_name("not_run.json").read_text())
"""By page, the reasons of the examples that are not tried: a new one is added here, where it is
seen.
"""


@EACH_PAGE
async def test_the_examples_of_a_page_are_true(page: Path, reader: Reader) -> None:
    if page != README:
        await reader.take_the_tour()
    blocks = blocks_of(page, root=ROOT)
    for block, following in zip_longest(blocks, blocks[1:]):
        if block.language == "sh" and not block.not_run:
            shown = (
                following
                if following and following.language == "json" and _is_an_answer(following)
                else None
            )
            await _try(block, shown, reader)


async def _try(block: Block, shown: Block | None, reader: Reader) -> None:
    """Run a block until it fits; once, unless it says that something happens meanwhile."""
    found: list[str] = []

    async def fits() -> bool:
        found[:] = _faults(block, shown, await reader.type(block.text))
        return not found

    if "eventually" in block.marks:
        await eventually(fits, lambda: f"{block.place} fits: {found}", every=0.2)
    else:
        assert await fits(), f"{block.place}: {found}"


def _faults(block: Block, shown: Block | None, exchanges: list[Exchange]) -> list[str]:
    """What an answer has, or lacks, against what the page shows."""
    documents = read_documents(shown.text) if shown else []
    answers = exchanges[len(exchanges) - len(documents) :]
    faults = [
        fault
        for one, answer in zip(documents, answers, strict=True)
        for fault in misfits(one, answer.document)
    ]
    statuses = {
        id(answer): one["status"]
        for one, answer in zip(documents, answers, strict=True)
        if _is_problem(one)
    }
    if "status" in block.marks:
        statuses[id(exchanges[-1])] = int(block.marks["status"])
    for exchange in exchanges:
        wanted = statuses.get(id(exchange))
        if exchange.status != wanted if wanted else exchange.status >= 400:
            faults.append(
                f"{exchange.method} {exchange.target} answered {exchange.status}: {exchange.body}"
            )
    return faults


def _is_an_answer(block: Block) -> bool:
    return not block.not_run and "shape" not in block.marks


def _is_problem(document: Any) -> bool:
    return isinstance(document, dict) and {"status", "code", "detail"} <= set(document)


@EACH_PAGE
def test_json_that_is_no_answer_has_a_shape_of_the_document(page: Path) -> None:
    blocks = blocks_of(page, root=ROOT)
    for earlier, block in zip([None, *blocks], blocks, strict=False):
        if block.language != "json":
            continue
        documents = read_documents(block.text)
        if "shape" in block.marks:
            for one in documents:
                must_fit(one, {"$ref": f"#/components/schemas/{block.marks['shape']}"})
        elif not block.not_run:
            assert earlier, f"{block.place} answers nothing"
            assert (earlier.language, earlier.not_run) == ("sh", None), (
                f"{block.place} answers nothing"
            )


def test_what_is_not_tried_is_known() -> None:
    reasons = {
        str(page.relative_to(ROOT)): [
            block.not_run for block in blocks_of(page, root=ROOT) if block.not_run
        ]
        for page in PAGES
    }

    assert {page: why for page, why in reasons.items() if why} == NOT_RUN


def test_pages_have_examples() -> None:
    assert len([block for page in PAGES for block in blocks_of(page, root=ROOT)]) > 20


def test_the_guides_check_of_a_signature_is_right() -> None:
    (block,) = [block for block in blocks_of(GUIDE, root=ROOT) if block.language == "python"]
    names: dict[str, Any] = {}
    exec(block.text, names)
    secret, body = "whsec_ZDuXtuCTif2tYNpvMLR1F7K8nT8M8Fnl", b'{"id":"evt_1"}'

    signed = sign(
        [secret, "whsec_xUhHgXP5zxOmFpj3ZW39yY5C7BIRyKSk"],
        webhook_id="evt_1",
        body=body,
        at=1_795_230_240,
    )

    assert names["genuine"](secret, signed["X-SVC-Signature"], body)
    assert not names["genuine"](secret, signed["X-SVC-Signature"], body + b" ")


VECTOR = {
    "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX",
    "signature": "t=1700000000,v1=f4d0258a80c68049933cc7dd045f375da03cabf5b59577d330bf58f83cf12cda",
    "body": '{"id":"evt_1","type":"sms.delivered","data":{"text":"olá"}}',
}
"""That of the page about webhooks; `tests/core/webhooks/signing` holds the service to it."""
CHANGED = [
    ({}, 1_700_000_299, True),
    (
        {"signature": f"t=1700000000,v1={'0' * 64},v1={VECTOR['signature'][-64:]}"},
        1_700_000_000,
        True,
    ),
    ({}, 1_700_000_301, False),
    ({"body": VECTOR["body"] + " "}, 1_700_000_000, False),
    ({"secret": "whsec_other"}, 1_700_000_000, False),
    ({"signature": "v1=f4d0"}, 1_700_000_000, False),
    ({"signature": "t=,v1=, "}, 1_700_000_000, False),
]
IN_NODE = """
const [page, given, now] = process.argv.slice(1);
const { genuine } = await import(page);
const { secret, signature, body } = JSON.parse(given);
console.log(genuine(secret, signature, Buffer.from(body), Number(now)));
"""


@pytest.mark.parametrize(("changed", "now", "fits"), CHANGED)
def test_the_check_of_the_page_about_webhooks_is_right(
    changed: dict[str, str], now: int, fits: bool
) -> None:
    (block,) = [one for one in blocks_of(WEBHOOKS, root=ROOT) if one.language == "python"]
    names: dict[str, Any] = {}
    exec(block.text, names)
    given = VECTOR | changed

    assert (
        names["genuine"](given["secret"], given["signature"], given["body"].encode(), now=now)
        is fits
    )


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js here")
@pytest.mark.parametrize(("changed", "now", "fits"), CHANGED)
def test_the_check_of_the_page_in_node_is_right(
    changed: dict[str, str], now: int, fits: bool, tmp_path: Path
) -> None:
    (text,) = re.findall(r"^```js\n(.*?)^```$", WEBHOOKS.read_text(), re.MULTILINE | re.DOTALL)
    page = tmp_path / "page.mjs"
    page.write_text(text)
    words = ["node", "--input-type=module", "-e", IN_NODE, str(page), json.dumps(VECTOR | changed)]

    told = subprocess.run([*words, str(now)], capture_output=True, text=True, check=True)
    assert told.stdout == f"{str(fits).lower()}\n"


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js here")
async def test_the_subscription_of_the_page_is_told(reader: Reader, tmp_path: Path) -> None:
    (text,) = re.findall(r"^```js\n(.*?)^```$", SUBSCRIPTIONS.read_text(), re.MULTILINE | re.DOTALL)
    program, told = tmp_path / "page.mjs", tmp_path / "told"
    program.write_text(f"const {{ URL: url, KEY: key }} = process.env;\n{text}")
    with told.open("w") as out:
        node = await asyncio.create_subprocess_exec(
            *("node", "--experimental-websocket", "--no-warnings", str(program)),
            env=os.environ | reader.environment,
            stdout=out,
            stderr=out,
        )
    numbers = count()

    async def is_told() -> bool:
        """Of what happens from when it listens on, which nobody else hears of."""
        await reader.type(
            f'curl -sS $URL/v2/sms/messages -H "Authorization: Bearer $KEY" -H "Idempotency-Key: told-{next(numbers)}" '
            """-d '{"to": "+5511987650005", "body": "Oi", "route": "otp"}'"""
        )
        return "DELIVERED" in told.read_text()

    try:
        await reader.type(". .svc/demo.env")
        await eventually(is_told, lambda: f"the socket tells: {told.read_text()}", every=0.2)
    finally:
        node.kill()
        await node.wait()


def test_addresses_that_pages_speak_of_exist() -> None:
    """`METHOD /path` in running text."""
    known = {(operation.method, re.sub(r"{\w+}", "{}", operation.path)) for operation in OPERATIONS}
    pages = {(method, "/console/session") for method in ("GET", "POST", "DELETE")} | {
        ("GET", path)
        for path in (
            "/",
            "/healthz",
            "/readyz",
            "/metrics",
            "/openapi.json",
            "/docs",
            "/problems",
            "/l/{}",
            "/problems/{}",
        )
    }
    told = {
        (method, re.sub(r"{\w+}", "{}", path))
        for page in PAGES
        for method, path in re.findall(
            r"`(GET|POST|PUT|PATCH|DELETE) (/[^\s`?]*)", page.read_text()
        )
        if not path.startswith("/providers/") and "…" not in path
    }

    assert told - known - pages == set()
    assert (
        document(OPERATIONS, base_url="http://svc.test")["info"]["description"] == GUIDE.read_text()
    )
