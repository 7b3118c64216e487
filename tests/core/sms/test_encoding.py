# ruff: noqa: RUF001  the tables below are about characters that look alike
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.sms.encoding import (
    BASIC,
    EXTENSION,
    Encoded,
    SmsEncoding,
    count,
    encode_sms,
    replace_accents,
)

PORTUGUESE = "ãõçáéíóúâêôàüÃÕÇÁÉÍÓÚÂÊÔÀÜªº–—“”‘’…•€°"
WRITING = st.text(
    st.one_of(st.sampled_from(PORTUGUESE + "abc \n[]{}€\u0303\u0301😀日"), st.characters())
)
LONG = st.builds(
    lambda pieces: "".join(text * times for text, times in pieces),
    st.lists(st.tuples(WRITING, st.integers(1, 80)), max_size=8),
)


def packed(costs: list[int], one: int, part: int) -> int:
    """Parts by filling them one character at a time: the slow and obvious way."""
    if sum(costs) <= one:
        return 1
    parts, room = 1, part
    for cost in costs:
        if cost > room:
            parts, room = parts + 1, part
        room -= cost
    return parts


# In one pass


@given(WRITING | LONG | st.text(st.characters(max_codepoint=0xFF), max_size=400))
@example("")
@example("Olá! Promoção só hoje" * 20)
def test_latin_text_is_encoded_as_any_other(text: str) -> None:
    assert encode_sms(text) == count(replace_accents(text))


# Counting


@pytest.mark.parametrize(
    ("length", "segments"),
    [
        (0, 1),
        (1, 1),
        (160, 1),
        (161, 2),
        (304, 2),
        (305, 3),
        (456, 3),
        (457, 4),
        (1520, 10),
        (1521, 11),
    ],
)
def test_long_gsm_parts_hold_152(length: int, segments: int) -> None:
    assert count("a" * length) == Encoded("a" * length, SmsEncoding.GSM_7, length, segments)


@pytest.mark.parametrize(
    ("length", "segments"), [(1, 1), (70, 1), (71, 2), (134, 2), (135, 3), (201, 3), (202, 4)]
)
def test_long_ucs2_parts_hold_67(length: int, segments: int) -> None:
    assert count("日" * length) == Encoded("日" * length, SmsEncoding.UCS_2, length, segments)


@pytest.mark.parametrize("char", sorted(EXTENSION))
def test_extension_characters_count_two(char: str) -> None:
    assert count(char)[1:] == ("GSM-7", 2, 1)
    assert count(char * 80)[1:] == ("GSM-7", 160, 1)
    assert count(char * 81)[1:] == ("GSM-7", 162, 2)


def test_ucs2_counts_utf16_units() -> None:
    assert count("😀")[1:] == ("UCS-2", 2, 1)
    assert count("a😀")[1:] == ("UCS-2", 3, 1)
    assert count("😀" * 35)[1:] == ("UCS-2", 70, 1)
    assert count("😀" * 36)[1:] == ("UCS-2", 72, 2)


@pytest.mark.parametrize(
    ("text", "length", "segments"),
    [
        (
            "a" * 151 + "[" + "a" * 151,
            304,
            3,
        ),  # the pair would straddle 152 and moves: 151 + 152 + 1
        ("a" * 150 + "[" + "a" * 152, 304, 2),  # it ends exactly at the boundary
        ("a" * 152 + "[" + "a" * 150, 304, 2),  # it begins exactly there
        ("a" * 159 + "[", 161, 2),
        ("a" * 158 + "[", 160, 1),  # one part has no boundary
        (("a" * 151 + "[") * 2, 306, 3),
        ("a" + "€" * 151, 303, 2),  # 151 + 152
        ("a" + "€" * 152, 305, 3),
    ],
)
def test_an_extension_pair_moves_whole_to_the_next_part(
    text: str, length: int, segments: int
) -> None:
    assert count(text)[1:] == ("GSM-7", length, segments)


@pytest.mark.parametrize(
    ("text", "length", "segments"),
    [
        ("日" * 66 + "😀" + "日" * 66, 134, 3),
        ("日" * 65 + "😀" + "日" * 67, 134, 2),
        ("日" * 67 + "😀" + "日" * 65, 134, 2),
        ("日" * 69 + "😀", 71, 2),
        ("日" * 68 + "😀", 70, 1),
        ("😀" * 67, 134, 3),
    ],
)
def test_a_surrogate_pair_moves_whole_to_the_next_part(
    text: str, length: int, segments: int
) -> None:
    assert count(text)[1:] == ("UCS-2", length, segments)


def test_the_alphabet_is_gsm_03_38() -> None:
    assert len(BASIC) == len(set(BASIC)) == 127
    assert set("^{}[]~\\|€\f") == EXTENSION
    by_code = BASIC[:0x1B] + "\x1b" + BASIC[0x1B:]
    places = {
        0x00: "@",
        0x09: "Ç",
        0x0A: "\n",
        0x0D: "\r",
        0x10: "Δ",
        0x1A: "Ξ",
        0x1F: "É",
        0x20: " ",
        0x24: "¤",
    }
    places |= {0x40: "¡", 0x41: "A", 0x5B: "Ä", 0x60: "¿", 0x61: "a", 0x7B: "ä", 0x7F: "à"}
    assert {code: by_code[code] for code in places} == places


@given(LONG)
@example("a" * 151 + "[" + "a" * 151)
@example("[" * 400)
@example("a" + "😀" * 400)
def test_counting_agrees_with_filling_parts_one_character_at_a_time(text: str) -> None:
    encoded = count(text)

    if set(text) <= EXTENSION.union(BASIC):
        costs = [2 if char in EXTENSION else 1 for char in text]
        assert encoded == Encoded(text, SmsEncoding.GSM_7, sum(costs), packed(costs, 160, 152))
    else:
        costs = [2 if char > "\uffff" else 1 for char in text]
        assert encoded == Encoded(text, SmsEncoding.UCS_2, sum(costs), packed(costs, 70, 67))


# Replacing


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("Olá, não há ação", "Ola, nao ha acao"),
        ("ãõâêôáíóúç", "aoaeoaiouc"),
        ("ÃÕÂÊÔÁÍÓÚÀÈ", "AOAEOAIOUAE"),
        ("éàèìòùñäöüßåæøÉÇÑÄÖÜÅÆØ", "éàèìòùñäöüßåæøÉÇÑÄÖÜÅÆØ"),
        ("“curved” ‘quotes’ «low» „nine‚", '"curved" \'quotes\' "low" "nine\''),
        ("en – em — minus − hyphen ‑", "en - em - minus - hyphen -"),
        ("wait…", "wait..."),
        ("1\u00a0000\u202f000\u2009x", "1 000 000 x"),
        ("nº 1ª 80m² 30°C", "no 1a 80m2 30oC"),
        ("`code` ´acute´", "'code' 'acute'"),
        ("• item\tvalue", "* item value"),
        ("© ® ™", "(c) (R) TM"),
        ("Łódź Đorđe Straße Œuvre İstanbul ı", "Lodz Dorde Straße OEuvre Istanbul i"),
        ("Việt Nam ﬁm ＡＢＣ", "Viet Nam fim ABC"),
        ("zero\u200bwidth\ufeff soft\u00adhyphen", "zerowidth softhyphen"),
        ("line\u2028break", "line\nbreak"),
        ("bell\x07 escape\x1b[0m", "bell escape[0m"),
        ("€ 10 [ok]", "€ 10 [ok]"),
        ("ΔΦΓ Ώ", "ΔΦΓ Ω"),
        ("\u2126 \u212b", "Ω Å"),  # the signs of ohm and angstrom
        ("", ""),
    ],
)
def test_what_gsm_lacks_is_replaced(text: str, replaced: str) -> None:
    assert replace_accents(text) == replaced
    assert encode_sms(text).encoding == "GSM-7"


@pytest.mark.parametrize(
    "text",
    [
        "ação 😀",
        "ação 日本",
        "ação Привет",
        "≠",
        "=\u0338",
        "2\u0336",
        "1️⃣ ação",
        "½ ação",
        "ação ˘",
        "↑",
        "\ud83d ç",
    ],
)
def test_one_character_without_equivalent_leaves_the_text_as_it_came(text: str) -> None:
    assert replace_accents(text) == text
    assert encode_sms(text).encoding == "UCS-2"


@pytest.mark.parametrize(
    ("decomposed", "replaced"),
    [
        ("na\u0303o", "nao"),
        ("cafe\u0301", "café"),
        ("C\u0327", "Ç"),
        ("c\u0327", "c"),
        ("q\u0303", "q"),
        ("a\u0303\u0301", "a"),
        ("\u0301", "\u0301"),  # nothing would be left
    ],
)
def test_decomposed_letters_are_the_letters_they_show(decomposed: str, replaced: str) -> None:
    assert replace_accents(decomposed) == replaced


def test_decomposed_text_stays_as_it_came_beside_an_emoji() -> None:
    assert replace_accents("na\u0303o 😀") == "na\u0303o 😀"


def test_a_replacement_that_would_cost_more_is_not_made() -> None:
    dots = "…" * 70

    assert encode_sms(dots) == Encoded(dots, SmsEncoding.UCS_2, 70, 1)


def test_at_equal_cost_the_replacement_is_preferred() -> None:
    assert encode_sms("…" * 53) == Encoded("." * 159, SmsEncoding.GSM_7, 159, 1)
    assert encode_sms("…" * 71)[1:] == ("GSM-7", 213, 2)


def test_a_text_of_very_many_different_characters_is_replaced_in_one_pass() -> None:
    letters = [chr(code) for code in range(0xC0, 0x250)]
    text = "".join(char for char in letters if replace_accents(char) != char)

    assert len(set(text)) > 200
    assert replace_accents(text) == "".join(map(replace_accents, text))


@given(LONG)
def test_replacing_never_costs_more_and_yields_gsm_or_the_text_itself(text: str) -> None:
    replaced = replace_accents(text)

    assert count(replaced).segments <= count(text).segments
    assert replaced == text or count(replaced).encoding == "GSM-7"
    assert replace_accents(replaced) == replaced


@given(st.text(st.sampled_from(PORTUGUESE + "abcXYZ 019.,!?")))
def test_portuguese_leaves_as_gsm_however_it_is_composed(text: str) -> None:
    composed, decomposed = (
        replace_accents(unicodedata.normalize(form, text)) for form in ("NFC", "NFD")
    )

    assert composed == decomposed
    assert encode_sms(text).encoding == "GSM-7" or "…" in text


@given(LONG)
def test_one_call_replaces_and_counts(text: str) -> None:
    assert encode_sms(text) == count(replace_accents(text))


def test_the_result_cannot_be_changed() -> None:
    encoded = encode_sms("a")

    with pytest.raises(AttributeError):
        encoded.segments = 2  # type: ignore[misc]
    assert not hasattr(encoded, "__dict__")
