"""Made-up phones: real in form, each once, and in the sandbox as troublesome as real ones."""

from collections import Counter
from random import Random

import phonenumbers
import pytest
from stdnum.br import cnpj as real_cnpj
from stdnum.br import cpf as real_cpf

from cli.seed.brazil.documents import birth_date, cnpj, cpf
from cli.seed.brazil.phones import phone, phone_abroad
from cli.seed.brazil.places import PLACES
from cli.seed.sms.outcomes import sandbox_outcome
from core.foundation.security.caller import Env
from core.foundation.validation.phones import AREA_CODES, parse_phone
from tests.factories.seeding import AS_OF

MANY = 60_000


def test_every_area_code_has_its_place() -> None:
    assert {place.area for place in PLACES} == AREA_CODES
    assert len(PLACES) == len(AREA_CODES)


@pytest.mark.parametrize("env", ["test", "live"])
def test_no_two_phones_are_the_same(env: Env) -> None:
    first, far = 2_000_003, 9 * 2_000_003
    numbers = [*range(first, first + MANY), *range(far, far + MANY)]

    assert len({phone(number, env)[0] for number in numbers}) == len(numbers)


@pytest.mark.parametrize("env", ["test", "live"])
def test_phones_are_valid_mobiles_of_their_place(env: Env) -> None:
    for number in range(5_000_000, 5_003_000):
        text, place = phone(number, env)
        parsed = phonenumbers.parse(text)
        assert phonenumbers.is_valid_number(parsed)
        assert phonenumbers.number_type(parsed) == phonenumbers.PhoneNumberType.MOBILE
        assert parse_phone(text) == text
        assert text.startswith(f"+55{place.area}9")


def test_most_phones_are_where_most_people_live() -> None:
    areas = Counter(phone(number, "live")[1].area for number in range(20_000))

    assert areas.most_common(1)[0][0] == "11"
    assert areas["11"] > 5 * areas["68"]
    assert set(areas) == AREA_CODES


def test_phones_abroad_are_valid() -> None:
    for number in range(500):
        text = phone_abroad(number)
        assert phonenumbers.is_valid_number(phonenumbers.parse(text))
        assert not text.startswith("+55")


def test_in_the_sandbox_phones_end_as_often_in_trouble_as_real_messages_do() -> None:
    outcomes = Counter(sandbox_outcome(phone(number, "test")[0]) for number in range(20_000))
    shares = {
        (outcome.status.value, outcome.reason): many / 20_000 for outcome, many in outcomes.items()
    }

    assert 0.93 < shares["delivered", None] < 0.95
    assert 0.029 < shares["undelivered", "carrier_rejected"] < 0.032
    assert 0.009 < shares["sent", None] < 0.012
    assert shares.keys() == {
        *(("failed", reason) for reason in ("invalid_number", "expired", "blacklisted", None)),
        ("undelivered", "carrier_rejected"),
        ("delivered", None),
        ("sent", None),
    }


def test_documents_have_right_check_digits() -> None:
    random = Random(1)
    for _ in range(200):
        assert real_cpf.is_valid(cpf(random))
        assert real_cnpj.is_valid(cnpj(random))
        assert "1939" < birth_date(random, AS_OF.date())[:4] < "2008"
