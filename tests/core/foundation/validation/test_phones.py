import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.validation.phones import (
    AREA_CODES,
    MaskedValue,
    NotAPhone,
    canonical_br,
    is_landline,
    mask_phone,
    ninth_digit_variants,
    parse_phone,
    region_of,
)

SUBSCRIBERS = ["0000000", "1234567", "7650005", "9999999", "5000114"]
FORMS = ["+55{0}{1}", "55{0}{1}", "{0}{1}", "+55 ({0}) {1}", "({0}) {1}", "0{0} {1}", "+55-{0}.{1}"]
EXAMPLES = {
    country: number
    for country in sorted(phonenumbers.SUPPORTED_REGIONS)
    if (
        number := phonenumbers.example_number_for_type(country, phonenumbers.PhoneNumberType.MOBILE)
    )
}


def by_library(text: str) -> str | None:
    """What the library alone says: E.164, or None when the number is not valid."""
    try:
        number = phonenumbers.parse(text, "BR")
    except phonenumbers.NumberParseException:
        return None
    valid = phonenumbers.is_valid_number(number)
    return (
        phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164) if valid else None
    )


def by_us(text: str) -> str | None:
    try:
        return parse_phone(text)
    except NotAPhone:
        return None


def agree(text: str) -> bool:
    """Whether we say what the library says, but for a mobile that is valid once it has its ninth
    digit.
    """
    ours, theirs = by_us(text), by_library(text)
    if ours == theirs:
        return True
    canonical = canonical_br(ours or "")
    return theirs is None and canonical != ours and by_library(canonical) == canonical


@pytest.mark.parametrize(
    ("text", "e164"),
    [
        ("+5511987654321", "+5511987654321"),
        ("+55 11 98765-4321", "+5511987654321"),
        ("(11) 98765-4321", "+5511987654321"),
        ("11987654321", "+5511987654321"),
        ("5511987654321", "+5511987654321"),
        ("011 98765-4321", "+5511987654321"),
        ("+55 (0)11 98765-4321", "+5511987654321"),
        (" +55 11 98765-4321\n", "+5511987654321"),
        ("\u202a+55\u00a011\u00a098765\u20114321\u202c", "+5511987654321"),
        ("(55) 98765-4321", "+5555987654321"),
        ("55987654321", "+5555987654321"),  # area 55, not country 55
        ("+551133334444", "+551133334444"),
        ("+5508001234567", "+558001234567"),
        ("+1 202 555 0123", "+12025550123"),
        ("+351 912 345 678", "+351912345678"),
        ("+39 06 698 12345", "+390669812345"),
    ],
)
def test_people_write_numbers_in_many_ways(text: str, e164: str) -> None:
    assert parse_phone(text) == e164


@pytest.mark.parametrize(
    "ending", ["0005", "0006", "0008", "0010", "0011", "0012", "0013", "0099", "0114"]
)
def test_sandbox_numbers_are_phones(ending: str) -> None:
    assert parse_phone(f"+551198765{ending}") == f"+551198765{ending}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "+",
        "abc",
        "123",
        "+5511",
        "+55119876543210",
        "+5510987654321",  # no area code 10
        "+5511187654321",
        "++5511987654321",
        "55+11987654321",
        "+551133334444 ext. 5",
        "+5511987654321;ext=5",
        "tel:+5511987654321",
        "call 11987654321",
        "0800 FLORES",
        "+55 11 98765-4321 / 11 91234-5678",
        "+٥٥١١٩٨٧٦٥٤٣٢١",
        "+5511\uff1987654321",
        "+5511987654321\x00",
        "+999123456789",
        "+49301111111111111",  # valid to the library, longer than E.164
        "1" * 10_000,
    ],
)
def test_what_is_no_valid_number_is_refused(text: str) -> None:
    with pytest.raises(NotAPhone):
        parse_phone(text)


@pytest.mark.parametrize("text", ["+5511*****4321", "*", "abc*", "+1202***0123"])
def test_a_masked_number_written_back_is_told_apart(text: str) -> None:
    with pytest.raises(MaskedValue):
        parse_phone(text)


@pytest.mark.parametrize("text", ["+5511987654", "+5511*****4321"])
def test_refusals_do_not_repeat_the_number(text: str) -> None:
    with pytest.raises((NotAPhone, MaskedValue)) as refusal:
        parse_phone(text)

    assert text not in str(refusal.value)
    assert refusal.value.__cause__ is None


def test_area_codes_are_those_of_the_library() -> None:
    assert len(AREA_CODES) == 67
    assert {
        f"{code:02}" for code in range(100) if by_library(f"+55{code:02}987654321")
    } == AREA_CODES


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_the_short_cut_agrees_with_the_library_on_every_area_and_range(form: str) -> None:
    """All areas from 00 to 99, each first two digits of a subscriber, eight and nine digits long. How a
    number is spelled has to do with no area: of the other forms each seventh.
    """
    for area in range(0, 100, 1 if form == FORMS[0] else 7):
        for start in range(100):
            for rest in ("765432", "7650114"):
                text = form.format(f"{area:02}", f"{start:02}{rest}")
                assert agree(text), text


def test_the_short_cut_agrees_with_the_library_on_many_subscribers() -> None:
    for area in AREA_CODES:
        for second in "0123456789":
            for subscriber in SUBSCRIBERS:
                text = f"+55{area}9{second}{subscriber}"
                assert parse_phone(text) == text == by_library(text)


@given(st.from_regex(r"\+?[0-9 ()\-]{8,18}", fullmatch=True))
def test_we_differ_from_the_library_only_about_the_ninth_digit(text: str) -> None:
    assert agree(text)


@pytest.mark.parametrize("country", EXAMPLES)
def test_the_example_number_of_every_country_is_read_and_masked(country: str) -> None:
    number = EXAMPLES[country]
    e164 = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    prefix = f"+{number.country_code}"

    masked = mask_phone(e164)

    assert parse_phone(e164) == e164
    assert region_of(e164) == ("BR" if country == "BR" else "INTL")
    assert masked.startswith(prefix)
    assert len(masked) == len(e164)
    assert masked.count("*") >= 4
    assert mask_phone(masked) == masked


@pytest.mark.parametrize(
    ("e164", "masked"),
    [
        ("+5511987654321", "+5511*****4321"),
        ("+551133334444", "+5511****4444"),
        ("+12025550123", "+120****0123"),
        ("+351912345678", "+3519****5678"),
        ("+4712345678", "+47****5678"),
        ("+2471234", "+247****"),
        ("+29012345", "+290****5"),
        ("+551", "+55*"),
        ("", ""),
        ("1234", "****"),
        ("12345", "****5"),
        ("+5511*****4321", "+5511*****4321"),
    ],
)
def test_a_mask_shows_country_area_and_the_last_four(e164: str, masked: str) -> None:
    assert mask_phone(e164) == masked


@given(st.text("+0123456789", max_size=20))
def test_a_mask_hides_four_digits_or_all(text: str) -> None:
    masked = mask_phone(text)

    assert len(masked) == len(text)
    assert masked.count("*") >= min(4, len(text.lstrip("+")) - 3)
    assert mask_phone(masked) == masked


@pytest.mark.parametrize("area", sorted(AREA_CODES))
@pytest.mark.parametrize("first", "6789")
def test_a_mobile_is_the_same_with_and_without_its_ninth_digit(area: str, first: str) -> None:
    old, new = f"+55{area}{first}7654321", f"+55{area}9{first}7654321"

    assert canonical_br(old) == canonical_br(new) == new
    assert ninth_digit_variants(old) == ninth_digit_variants(new) == (new, old)
    assert parse_phone(old) == old


@pytest.mark.parametrize(
    "e164",
    [
        "+551133334444",  # landlines
        "+552123456789",
        "+555533334444",
        "+5511943211234",  # without its 9 it would be a landline
        "+5511912345678",
        "+5511901234567",
        "+558001234567",  # toll-free, not area 80
        "+553003123456",
        "+5540041234",
        "+5510987654321",  # no such area
        "+551087654321",
        "+12025550123",
        "+351912345678",
        "",
    ],
)
def test_other_numbers_have_one_form(e164: str) -> None:
    assert canonical_br(e164) == e164
    assert ninth_digit_variants(e164) == (e164,)


@pytest.mark.parametrize(
    ("e164", "fixed"),
    [
        ("+551133334444", True),
        ("+551143211234", True),
        ("+442071234567", True),
        ("+5511987654321", False),
        ("+551187654321", False),
        ("+551178654321", False),
        ("+558007771234", False),
        ("+12125550123", False),
    ],
)
def test_a_landline_is_one_that_can_be_nothing_else(e164: str, fixed: bool) -> None:
    assert is_landline(e164) is fixed
