"""Problems in the language that Accept-Language asks for."""

import httpx
import orjson
import pytest

from tests.rest_api.speaking import a_client

PORTUGUESE = {"Accept-Language": "pt-BR,pt;q=0.9,en;q=0.8"}


async def test_a_problem_is_portuguese_where_that_is_asked_for(rest: httpx.AsyncClient) -> None:
    answer = await rest.get("/v2/wallet", headers=PORTUGUESE)

    problem = answer.json()
    assert problem["title"] == "Não autenticado"
    assert problem["detail"].startswith("Envie ")
    assert (problem["code"], problem["meta"]["motivo"]) == ("UNAUTHORIZED", "ausente")
    assert (answer.headers["content-language"], answer.headers["vary"]) == (
        "pt-BR",
        "Accept-Language",
    )


async def test_a_problem_is_english_where_nothing_is_asked_for(rest: httpx.AsyncClient) -> None:
    answer = await rest.get("/v2/wallet")

    assert answer.json()["title"] == "Unauthorized"
    assert (answer.headers["content-language"], answer.headers["vary"]) == ("en", "Accept-Language")


async def test_every_field_that_is_wrong_says_so_in_portuguese(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    answer = await rest.post(
        "/v2/sms/messages",
        json={"to": "+5511987650005", "body": "", "rout": "otp"},
        headers={**PORTUGUESE, "Idempotency-Key": "k1"},
    )

    told = {
        error["pointer"]: (error["code"], error["message"]) for error in answer.json()["errors"]
    }
    assert told["/route"] == ("required", "Este campo é obrigatório")
    assert told["/rout"] == (
        "unknown_field",
        "Esta operação não tem esse campo; você quis dizer route?",
    )
    assert told["/body"] == ("too_short", "Isto não pode ficar vazio")


async def test_graphql_says_what_is_wrong_in_portuguese(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    answer = await rest.post(
        "/graphql", json={"query": "{ contacts { totalCount } }"}, headers=PORTUGUESE
    )

    assert answer.json()["errors"][0]["message"] == "first: Peça first ou last, de 1 a 100"


FORM = {"Content-Type": "application/x-www-form-urlencoded"}
SMS = {"to": "+5511987650005", "body": "Oi", "route": "otp"}


async def test_json_in_a_body_that_calls_itself_a_form_is_read_as_json(
    rest: httpx.AsyncClient,
) -> None:
    await a_client(rest)

    answer = await rest.post(
        "/v2/sms/messages", content=orjson.dumps(SMS), headers={**FORM, "Idempotency-Key": "k2"}
    )

    assert answer.status_code == 201


@pytest.mark.parametrize(
    "media", ["application/x-www-form-urlencoded; charset=UTF-8", "multipart/form-data;boundary=x"]
)
async def test_a_form_is_told_to_be_json(rest: httpx.AsyncClient, media: str) -> None:
    await a_client(rest)

    answer = await rest.post(
        "/v2/sms/messages",
        content=b"to=%2B5511987650005&body=Oi",
        headers={"Content-Type": media, "Idempotency-Key": "k3"},
    )

    assert answer.status_code == 400
    assert (
        answer.json()["detail"]
        == "The body is a form; send JSON, with the header Content-Type: application/json."
    )


async def test_what_is_no_json_and_says_so_is_told_what_to_send(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    sheet, xml = [
        await rest.post(
            "/contacts/import", content=b"nome;telefone", headers={"Content-Type": media}
        )
        for media in ("text/csv; charset=utf-8", "application/xml")
    ]
    put = await rest.put("/contacts/import", content=b"")
    cursor = await rest.get("/v2/sms/messages?cursor=abc")

    assert sheet.json()["detail"] == "The body is CSV; send JSON, with an object for each line."
    assert xml.json()["detail"].startswith("The body is XML; send JSON")
    assert put.json()["detail"].endswith("; it takes OPTIONS, POST.")
    assert cursor.json()["detail"].startswith("Some parameters are not valid")
    assert cursor.json()["errors"][0]["message"].endswith(
        "leave it out to begin with the first page"
    )


async def test_json_with_a_slip_is_told_the_slip_whatever_it_calls_itself(
    rest: httpx.AsyncClient,
) -> None:
    await a_client(rest)

    answer = await rest.post(
        "/v2/sms/messages", content=b'{"to": 1,}', headers={**FORM, "Idempotency-Key": "k4"}
    )

    assert answer.json()["detail"].startswith(
        "The body is not valid JSON (line 1, column 10): no comma"
    )


async def test_an_address_that_does_not_exist_says_so_in_portuguese(
    rest: httpx.AsyncClient,
) -> None:
    assert (await rest.get("/v2/nothing", headers=PORTUGUESE)).json()["title"] == "Não encontrado"


async def test_an_answer_of_graphql_says_in_which_language_its_errors_are(
    rest: httpx.AsyncClient,
) -> None:
    await a_client(rest)

    answer = await rest.post(
        "/graphql", json={"query": "{ node(id: 1) { id } nothing }"}, headers=PORTUGUESE
    )

    assert (answer.headers["content-language"], answer.headers["vary"]) == (
        "pt-BR",
        "Accept-Language",
    )


async def test_an_answer_without_words_of_ours_has_no_language(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    answer = await rest.get("/v2/me", headers=PORTUGUESE)

    assert answer.status_code == 200
    assert "content-language" not in answer.headers


async def test_a_compressed_body_is_told_to_come_as_it_is(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    headers = {
        "Content-Type": "application/json",
        "Content-Encoding": "gzip",
        "Idempotency-Key": "k3",
    }
    answer = await rest.post("/v2/sms/messages", content=b"\x1f\x8b\x08", headers=headers)

    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("The body is compressed")


async def test_what_is_wrong_with_lines_is_told_in_portuguese_too(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    imported = await rest.post(
        "/contacts/import", json={"contatos": [{"name": "Ana"}]}, headers=PORTUGUESE
    )
    companies = await rest.post("/v2/companies/import", json={"empresas": [{}]}, headers=PORTUGUESE)
    english = await rest.post("/v2/companies/import", json={"empresas": [{}]})

    assert imported.json()["erros"][0]["mensagem"] == "Este campo é obrigatório"
    assert companies.json()["erros"][0]["mensagem"] == "nome: Este campo é obrigatório"
    assert english.json()["erros"][0]["mensagem"] == "nome: This field is required"


async def test_what_a_ping_met_is_told_in_portuguese_too(rest: httpx.AsyncClient) -> None:
    await a_client(rest)

    answer = await rest.post(
        "/webhooks/validate", json={"url": "http://127.0.0.1:1/"}, headers=PORTUGUESE
    )

    assert (answer.json()["ok"], answer.json()["message"]) == (
        False,
        "Use a porta 80 ou uma porta acima de 1023.",
    )


async def test_a_link_that_names_nothing_is_told_without_a_stop_in_the_middle(
    rest: httpx.AsyncClient,
) -> None:
    await a_client(rest)
    nobody = {"phone": "+5511987650005", "companyId": "emp_000000000000000000000"}

    answer = await rest.post("/contacts", json=nobody, headers=PORTUGUESE)

    assert answer.json()["detail"] == "Esta organização não tem essa empresa."
