"""What the components of a template may be: every defect is named with its place, all at once."""

from typing import Any

import pytest
from pydantic import ValidationError

from core.foundation.errors import ValidationFailed
from core.foundation.validation.inputs import read_body
from core.templates import NewTemplate
from core.templates.record import wire_variables
from core.templates.validation.component_validator import MAX_DEFECTS
from core.templates.validation.components import defects_of

BODY = {"type": "BODY", "payload": {"text": "Olá."}}
REPLY = {"type": "QUICK_REPLY", "text": "Sim"}
URL = {"type": "URL", "text": "Abrir", "url": "https://example.com/p"}


def body(text: Any, *examples: str, **more: Any) -> list[dict[str, Any]]:
    payload = {"text": text, **({"example": list(examples)} if examples else {}), **more}
    return [{"type": "BODY", "payload": payload}]


def header(**payload: Any) -> list[dict[str, Any]]:
    return [{"type": "HEADER", "payload": payload}, BODY]


def footer(text: Any) -> list[dict[str, Any]]:
    return [BODY, {"type": "FOOTER", "payload": {"text": text}}]


def buttons(*buttons: Any) -> list[dict[str, Any]]:
    return [BODY, {"type": "BUTTONS", "payload": {"buttons": list(buttons)}}]


def found(components: list[dict[str, Any]], category: str | None = None) -> set[tuple[str, str]]:
    return {("/".join(map(str, one.place)), one.code) for one in defects_of(components, category)}


@pytest.mark.parametrize(
    "components",
    [
        body("Olá."),
        body("x" * 1024),
        body("Olá {{1}}, o pedido {{2}} saiu.", "Ana", "1042"),
        body("Olá {{1}}, {{1}} de novo!", "Ana"),
        header(format="TEXT", text="x" * 60),
        header(format="TEXT", text="Olá {{1}}", example="Ana"),
        header(format="TEXT", text="{{1}}", example=["Ana"]),
        header(format="IMAGE"),
        header(format="DOCUMENT", example="https://example.com/boleto.pdf"),
        header(format="LOCATION"),
        footer("x" * 60),
        buttons(*[REPLY] * 10),
        buttons(
            URL, {**URL, "url": "https://example.com/{{1}}", "example": "https://example.com/1"}
        ),
        buttons({"type": "PHONE_NUMBER", "text": "Ligar", "phoneNumber": "+5511987654321"}),
        buttons({"type": "COPY_CODE", "example": "VOLTA10"}),
        buttons(
            {
                "type": "FLOW",
                "text": "Abrir",
                "flowId": "flw_000000000000000000000",
                "navigateScreen": "A",
            }
        ),
        [BODY, {"type": "CAROUSEL", "payload": {"cards": [{"anything": 1}]}}],
    ],
)
def test_it_takes(components: list[dict[str, Any]]) -> None:
    assert found(components) == set()


@pytest.mark.parametrize(
    ("components", "defects"),
    [
        (footer("Só isto")[1:], {("", "required")}),
        ([BODY, BODY], {("1/type", "too_many")}),
        ([{"type": "BODY"}], {("0/payload", "required")}),
        ([{"type": "BODY", "payload": {}}], {("0/payload/text", "required")}),
        (body(1), {("0/payload/text", "wrong_type")}),
        (body(" "), {("0/payload/text", "too_short")}),
        (body("x" * 1025), {("0/payload/text", "too_long")}),
        (body("Olá.", nope=1), {("0/payload/nope", "unknown_field")}),
        (body("{{1}} chegou.", "Ana"), {("0/payload/text", "at_the_edge")}),
        (body("Chegou {{1}}", "Ana"), {("0/payload/text", "at_the_edge")}),
        (body("Olá {{2}}, bom dia.", "Ana"), {("0/payload/text", "not_contiguous")}),
        (body("Olá {{1}}{{3}} ou.", "a", "b"), {("0/payload/text", "not_contiguous")}),
        (body("Olá {{nome}}."), {("0/payload/text", "wrong_format")}),
        (body("Olá {{ 1 }}."), {("0/payload/text", "wrong_format")}),
        (body("Olá {{0}}."), {("0/payload/text", "wrong_format")}),
        (body("Olá {{1}}."), {("0/payload/example/0", "required")}),
        (body("De {{1}} a {{2}}.", "x"), {("0/payload/example/1", "required")}),
        (body("De {{1}} a.", "x", "y"), {("0/payload/example", "too_many")}),
        (body("De {{1}} a.", " "), {("0/payload/example/0", "wrong_type")}),
        (body("De {{1}} a.", example=1), {("0/payload/example", "wrong_type")}),
        (header(), {("0/payload/format", "required")}),
        (header(format="GIF"), {("0/payload/format", "not_allowed")}),
        (header(format="TEXT"), {("0/payload/text", "required")}),
        (header(format="TEXT", text="x" * 61), {("0/payload/text", "too_long")}),
        (
            header(format="TEXT", text="{{1}} {{2}}", example=["a", "b"]),
            {("0/payload/text", "too_many")},
        ),
        (header(format="TEXT", text="Olá {{1}}"), {("0/payload/example/0", "required")}),
        (header(format="IMAGE", text="x"), {("0/payload/text", "not_allowed")}),
        (header(format="IMAGE", example="http://x.com"), {("0/payload/example", "wrong_format")}),
        (header(format="IMAGE", example=1), {("0/payload/example", "wrong_type")}),
        (
            header(format="LOCATION", example="https://x.com"),
            {("0/payload/example", "not_allowed")},
        ),
        (footer("x" * 61), {("1/payload/text", "too_long")}),
        (footer("Até {{1}} logo"), {("1/payload/text", "not_allowed")}),
        (buttons(), {("1/payload/buttons", "too_few")}),
        (buttons(*[REPLY] * 11), {("1/payload/buttons", "too_many")}),
        (buttons(URL, URL, URL), {("1/payload/buttons", "too_many")}),
        (buttons(REPLY, URL, REPLY), {("1/payload/buttons", "wrong_order")}),
        (buttons("x"), {("1/payload/buttons/0", "wrong_type")}),
        (buttons({"text": "x"}), {("1/payload/buttons/0/type", "required")}),
        (buttons({"type": "LINK"}), {("1/payload/buttons/0/type", "not_allowed")}),
        (buttons({**REPLY, "text": "x" * 26}), {("1/payload/buttons/0/text", "too_long")}),
        (buttons({**REPLY, "text": "{{1}}"}), {("1/payload/buttons/0/text", "not_allowed")}),
        (buttons({**REPLY, "url": "x"}), {("1/payload/buttons/0/url", "unknown_field")}),
        (buttons({**URL, "url": "example.com"}), {("1/payload/buttons/0/url", "wrong_format")}),
        (
            buttons({**URL, "url": "https://x.com/{{1}}"}),
            {("1/payload/buttons/0/example/0", "required")},
        ),
        (
            buttons({**URL, "url": "https://x.com/{{1}}/a", "example": "https://x.com/1/a"}),
            {("1/payload/buttons/0/url", "wrong_format")},
        ),
        (
            buttons({"type": "PHONE_NUMBER", "text": "Ligar", "phoneNumber": "11987654321"}),
            {("1/payload/buttons/0/phoneNumber", "invalid_phone")},
        ),
        (buttons({"type": "COPY_CODE"}), {("1/payload/buttons/0/example", "required")}),
        (
            buttons({"type": "FLOW", "text": "Abrir", "flowId": "x"}),
            {("1/payload/buttons/0/flowId", "wrong_format")},
        ),
        ([BODY, {"type": "CAROUSEL"}], {("1/payload", "required")}),
        (
            [*body("{{1}} de {{3}}."), *buttons({"type": "URL"})[1:]],
            {
                ("0/payload/text", "at_the_edge"),
                ("0/payload/text", "not_contiguous"),
                ("0/payload/example/0", "required"),
                ("0/payload/example/1", "required"),
                ("1/payload/buttons/0/text", "required"),
                ("1/payload/buttons/0/url", "required"),
            },
        ),
    ],
)
def test_it_refuses_and_names(
    components: list[dict[str, Any]], defects: set[tuple[str, str]]
) -> None:
    assert found(components) == defects


CODE = {"type": "BODY", "payload": {"text": "O código é {{1}}, não o diga.", "example": ["123456"]}}
OTP = {"type": "BUTTONS", "payload": {"buttons": [{"type": "OTP"}]}}


@pytest.mark.parametrize(
    ("components", "category", "defects"),
    [
        ([CODE, OTP], "authentication", set()),
        ([CODE], "authentication", {("", "required")}),
        ([BODY, OTP], "authentication", {("0/payload/text", "wrong_format")}),
        ([*header(format="IMAGE")[:1], CODE, OTP], "authentication", {("0/type", "not_allowed")}),
        ([CODE, OTP], "utility", {("1/payload/buttons/0/type", "not_allowed")}),
        (
            buttons(REPLY),
            "authentication",
            {
                ("1/payload/buttons/0/type", "not_allowed"),
                ("", "required"),
                ("0/payload/text", "wrong_format"),
            },
        ),
        ([BODY, {"type": "LIMITED_TIME_OFFER", "payload": {}}], "marketing", set()),
        (
            [BODY, {"type": "LIMITED_TIME_OFFER", "payload": {}}],
            "utility",
            {("1/type", "not_allowed")},
        ),
    ],
)
def test_the_category_has_a_say(
    components: list[dict[str, Any]], category: str, defects: set[tuple[str, str]]
) -> None:
    assert found(components, category) == defects


def test_defects_are_named_together_with_the_other_fields_of_the_body() -> None:
    with pytest.raises(ValidationFailed) as refusal:
        read_body(
            NewTemplate,
            b'{"numberId": "num_x", "name": "No spaces", "language": "de-DE", "category": "utility",'
            b' "components": [{"type": "BODY", "payload": {"text": "{{1}}"}}]}',
        )

    assert {(error.where, error.code) for error in refusal.value.errors} == {
        ("/name", "wrong_format"),
        ("/language", "not_allowed"),
        ("/components/0/payload/text", "at_the_edge"),
        ("/components/0/payload/example/0", "required"),
    }


def test_what_does_not_go_with_the_category_is_named_together_with_the_rest() -> None:
    with pytest.raises(ValidationFailed) as refusal:
        read_body(
            NewTemplate,
            b'{"numberId": "num_x", "name": "No spaces", "language": "pt-BR", "category": "authentication",'
            b' "components": [{"type": "BODY", "payload": {"text": "{{1}} x", "example": ["1"]}}]}',
        )

    assert {(error.where, error.code) for error in refusal.value.errors} == {
        ("/name", "wrong_format"),
        ("/components/0/payload/text", "at_the_edge"),
        ("/components", "required"),
    }


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(ValidationError):
        NewTemplate.model_validate(
            {
                "numberId": "n",
                "name": "a",
                "language": "pt-BR",
                "category": "utility",
                "components": [{"type": "X"}],
            }
        )


def test_variables_come_in_the_order_of_header_body_and_buttons() -> None:
    components = [
        *buttons(
            REPLY,
            {**URL, "url": "https://example.com/{{1}}", "example": ["https://example.com/7"]},
            {"type": "COPY_CODE", "example": "VOLTA10"},
        )[1:],
        *body("De {{2}} a {{1}}.", "um", "dois"),
        *header(format="TEXT", text="Olá {{1}}", example="Ana")[:1],
    ]

    assert wire_variables(components) == [
        {"componente": "HEADER", "indice": 1, "exemplo": "Ana"},
        {"componente": "BODY", "indice": 1, "exemplo": "um"},
        {"componente": "BODY", "indice": 2, "exemplo": "dois"},
        {"componente": "BUTTONS", "indice": 1, "exemplo": "https://example.com/7", "botao": 1},
        {"componente": "BUTTONS", "indice": 1, "exemplo": "VOLTA10", "botao": 2},
    ]


def test_an_address_of_any_length_is_read_once() -> None:
    # Read again from each of its characters, it would take minutes.
    long = buttons({**URL, "url": f"https://{'a' * 200_000} "})

    assert {code for _, code in found(long)} == {"too_long", "wrong_format"}


@pytest.mark.parametrize(
    "components",
    [
        body("Olá {{1}}.", *range(5_000)),
        buttons(*range(5_000)),
        body("Olá.", **{f"x{n}": 1 for n in range(5_000)}),
    ],
)
def test_a_million_defects_are_not_all_told(components: list[dict[str, Any]]) -> None:
    assert len(defects_of(components, None)) == MAX_DEFECTS


@pytest.mark.parametrize(
    ("value", "code"),
    [("1" + "0" * 30, "too_large"), ("NaN", "not_finite"), (f"[{'0,' * 30_000}0]", "too_large")],
)
def test_what_cannot_be_held_is_refused(value: str, code: str) -> None:
    carousel = '{"type": "CAROUSEL", "payload": {"cards": [' + value + "]}}"
    components = f'[{{"type": "BODY", "payload": {{"text": "a"}}}}, {carousel}]'
    names = '"numberId": "n", "name": "a", "language": "pt-BR", "category": "utility"'

    with pytest.raises(ValidationFailed) as refusal:
        read_body(NewTemplate, f'{{{names}, "components": {components}}}'.encode())

    assert [(error.where, error.code) for error in refusal.value.errors] == [
        ("/components/1/payload", code)
    ]
