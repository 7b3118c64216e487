"""What the guarded client uses of aiohttp without a promise of aiohttp's, named part by part.

A new version is tried by changing its number: what it has moved fails here first, by its name.
`docs/decisions/0021-the-guarded-http-client.md` says why each part is needed.
"""

import ast
import asyncio
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path

import aiohttp
import pytest
from aiohttp.client_proto import ResponseHandler

import core.foundation.http_client

SIGNATURES: dict[str, tuple[Callable[..., object], list[str]]] = {
    "BaseConnector.connect": (aiohttp.BaseConnector.connect, ["self", "req", "traces", "timeout"]),
    "BaseConnector._get": (aiohttp.BaseConnector._get, ["self", "key", "traces"]),
    "TCPConnector._create_connection": (
        aiohttp.TCPConnector._create_connection,
        ["self", "req", "traces", "timeout"],
    ),
    "ResponseHandler": (ResponseHandler, ["loop"]),
    "ResponseHandler.read": (ResponseHandler.read, ["self"]),
    "ResponseHandler.data_received": (ResponseHandler.data_received, ["self", "data"]),
    "ResponseHandler.abort": (ResponseHandler.abort, ["self"]),
}
PRIVATE = {"_factory", "_loop", "_exception", "_payload", "_get", "_create_connection"}
"""Attributes of aiohttp's that begin with an underscore."""


@pytest.mark.parametrize("part", SIGNATURES)
def test_a_part_is_called_as_we_call_it(part: str) -> None:
    function, parameters = SIGNATURES[part]

    assert list(inspect.signature(function).parameters) == parameters


async def test_a_handler_and_a_connector_have_what_we_look_at() -> None:
    handler = ResponseHandler(asyncio.get_running_loop())
    connector = aiohttp.TCPConnector()

    assert {"_exception", "_payload"} <= set(vars(handler)) | set(dir(handler))
    assert {"_factory", "_loop"} <= set(vars(connector))
    assert (len(handler), handler.should_close) == (0, False)
    assert "read_bufsize" in inspect.signature(handler.set_response_params).parameters
    await connector.close()


def test_nothing_else_of_it_is_private() -> None:
    assert set(_private_of_others()) <= PRIVATE


def _private_of_others() -> Iterator[str]:
    """Private attributes that our classes do not define themselves."""
    package = Path(next(iter(core.foundation.http_client.__path__)))
    for path in package.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        ours = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)} | {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.Attribute) or not node.attr.startswith("_"):
                continue
            if node.attr not in ours and not node.attr.startswith("__"):
                yield node.attr
