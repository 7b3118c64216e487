"""Pages that consumers see: in their language, on a phone, with nothing to load and nothing of them
inside.
"""

import re

import httpx
import pytest

from tests.rest_api.speaking import a_client

PAGES = {
    "/l/0000000000": ("Link não encontrado", "Link not found"),
    "/u/not-a-token": ("Link não encontrado", "Link not found"),
}
PORTUGUESE = ["", "pt-BR,pt;q=0.9,en;q=0.8", "en,pt;q=0.1", "de-DE", "*"]
ENGLISH = ["en", "en-US,en;q=0.9", "de,en;q=0.5"]


@pytest.mark.parametrize("asked", PORTUGUESE)
@pytest.mark.parametrize("path", PAGES)
async def test_a_page_is_portuguese_for_brazilians(
    rest: httpx.AsyncClient, path: str, asked: str
) -> None:
    answer = await rest.get(path, headers={"Accept-Language": asked})

    assert answer.headers["content-language"] == "pt-BR"
    assert answer.headers["vary"] == "Accept-Language"
    assert '<html lang="pt-BR">' in answer.text
    assert f"<h1>{PAGES[path][0]}</h1>" in answer.text


@pytest.mark.parametrize("asked", ENGLISH)
@pytest.mark.parametrize("path", PAGES)
async def test_a_page_is_english_where_only_english_is_asked_for(
    rest: httpx.AsyncClient, path: str, asked: str
) -> None:
    answer = await rest.get(path, headers={"Accept-Language": asked})

    assert answer.headers["content-language"] == "en"
    assert '<html lang="en">' in answer.text
    assert f"<h1>{PAGES[path][1]}</h1>" in answer.text


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_fits_a_phone_and_loads_nothing(rest: httpx.AsyncClient, path: str) -> None:
    answer = await rest.get(path)

    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in answer.text
    assert not re.search(r"\b(src|href|url|import)\b", answer.text)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert path.rpartition("/")[2] not in answer.text


async def test_a_program_is_answered_as_before(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    assert (await rest.get("/v2/nothing")).headers["content-type"] == "application/problem+json"
