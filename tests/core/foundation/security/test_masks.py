from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.security.masks import (
    looks_masked,
    mask_birth_date,
    mask_cnpj,
    mask_cpf,
    mask_email,
    mask_phone,
)


@pytest.mark.parametrize(
    ("email", "masked"),
    [
        ("maria@dominio.com", "m***@dominio.com"),
        ("mm@dominio.com", "m***@dominio.com"),
        ("m@dominio.com", "***@dominio.com"),
        ('"a@b"@dominio.com', '"***@dominio.com'),
        ("@dominio.com", "***@dominio.com"),
        ("no address", "***"),
        ("", "***"),
    ],
)
def test_an_email_keeps_its_first_letter_and_domain(email: str, masked: str) -> None:
    assert mask_email(email) == masked


@pytest.mark.parametrize(
    ("cpf", "masked"),
    [
        ("12345678909", "***.456.***-**"),
        ("123.456.789-09", "***.456.***-**"),
        ("1234", "***.***.***-**"),
        ("", "***.***.***-**"),
    ],
)
def test_a_cpf_keeps_its_middle_block(cpf: str, masked: str) -> None:
    assert mask_cpf(cpf) == masked


@pytest.mark.parametrize(
    ("cnpj", "masked"),
    [
        ("12345678000195", "**.345.***/****-**"),
        ("12.345.678/0001-95", "**.345.***/****-**"),
        ("12ABC34501DE35", "**.ABC.***/****-**"),
        ("12.ABC.345/01DE-35", "**.ABC.***/****-**"),
        ("123", "**.***.***/****-**"),
    ],
)
def test_a_cnpj_keeps_one_block(cnpj: str, masked: str) -> None:
    assert mask_cnpj(cnpj) == masked


@pytest.mark.parametrize(
    ("date", "masked"),
    [("1990-05-17", "1990-**-**"), ("17/05/1990", "****-**-**"), ("", "****-**-**")],
)
def test_a_birth_date_keeps_its_year(date: str, masked: str) -> None:
    assert mask_birth_date(date) == masked


@pytest.mark.parametrize("mask", [mask_phone, mask_email, mask_cpf, mask_cnpj, mask_birth_date])
@given(text=st.text(min_size=1, max_size=40))
def test_no_mask_raises_or_passes_a_value_through(mask: Callable[[str], str], text: str) -> None:
    masked = mask(text)

    assert looks_masked(masked) or text == "+" * len(text)


@pytest.mark.parametrize(
    ("text", "masked"), [("m***@dominio.com", True), ("maria@dominio.com", False)]
)
def test_a_masked_value_is_recognised(text: str, masked: bool) -> None:
    assert looks_masked(text) is masked
