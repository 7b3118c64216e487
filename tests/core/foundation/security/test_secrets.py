import base64
import hmac
import os
import string
from collections.abc import Callable
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.security.secrets import (
    ApiKeyText,
    CannotDecrypt,
    Env,
    KeyRing,
    is_session_token,
    keyed_hash,
    new_api_key,
    new_session_token,
    new_webhook_secret,
    read_api_key,
)

OLD, NEW = b"o" * 32, b"n" * 32
PLACE = "contacts.cpf:cnt_1"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


# Encrypted fields


@given(st.text())
def test_what_was_encrypted_comes_back(plain: str) -> None:
    ring = KeyRing([NEW])

    assert ring.decrypt(ring.encrypt(plain, context=PLACE), context=PLACE) == plain


def test_the_same_text_never_gives_the_same_token() -> None:
    ring = KeyRing([NEW])

    assert len({ring.encrypt("12345678909", context=PLACE) for _ in range(100)}) == 100


def test_a_token_does_not_decrypt_in_another_place() -> None:
    ring = KeyRing([NEW])
    token = ring.encrypt("12345678909", context=PLACE)

    with pytest.raises(CannotDecrypt):
        ring.decrypt(token, context="contacts.cpf:cnt_2")


def test_every_changed_character_is_noticed() -> None:
    ring = KeyRing([NEW])
    token = ring.encrypt("12345678909", context=PLACE)

    assert "=" not in token  # so that each character carries something

    for place, char in enumerate(token):
        for other in {"A", "B", ".", "é"} - {char}:
            changed = f"{token[:place]}{other}{token[place + 1 :]}"
            with pytest.raises(CannotDecrypt):
                ring.decrypt(changed, context=PLACE)


@pytest.mark.parametrize("token", ["", ".", "nothing", "a.b.c", "\x00", "é.é"])
def test_text_that_is_no_token_is_refused(token: str) -> None:
    with pytest.raises(CannotDecrypt):
        KeyRing([NEW]).decrypt(token, context=PLACE)


def test_a_token_cut_short_is_refused() -> None:
    ring = KeyRing([NEW])
    token = ring.encrypt("12345678909", context=PLACE)

    for length in range(len(token) - 1):
        with pytest.raises(CannotDecrypt):
            ring.decrypt(token[:length], context=PLACE)


def test_keys_rotate() -> None:
    old_token = KeyRing([OLD]).encrypt("12345678909", context=PLACE)
    both = KeyRing([NEW, OLD])
    new_token = both.encrypt("12345678909", context=PLACE)

    assert both.decrypt(old_token, context=PLACE) == "12345678909"
    assert (both.is_current(old_token), both.is_current(new_token)) == (False, True)
    assert KeyRing([NEW]).decrypt(new_token, context=PLACE) == "12345678909"
    with pytest.raises(CannotDecrypt):
        KeyRing([NEW]).decrypt(old_token, context=PLACE)


def test_a_token_of_an_older_key_is_renewed_and_one_of_the_newest_stays() -> None:
    old_token, both = KeyRing([OLD]).encrypt("12345678909", context=PLACE), KeyRing([NEW, OLD])

    renewed = both.renew(old_token, context=PLACE)

    assert KeyRing([NEW]).decrypt(renewed, context=PLACE) == "12345678909"
    assert both.renew(renewed, context=PLACE) == renewed
    with pytest.raises(CannotDecrypt):
        both.renew(old_token, context="another place")


@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("padding", ["=", ""])
def test_keys_are_written_in_base64(encode: Callable[[bytes], bytes], padding: str) -> None:
    key = b"\xfb\xff" * 16
    text = encode(key).decode().rstrip("=") + padding

    token = KeyRing.from_base64([text]).encrypt("x", context=PLACE)

    assert KeyRing([key]).decrypt(token, context=PLACE) == "x"


@pytest.mark.parametrize("keys", [[], [b"short"], [NEW, b"n" * 31], [NEW, NEW]])
def test_a_ring_refuses_keys_that_are_no_keys(keys: list[bytes]) -> None:
    with pytest.raises(ValueError, match="key"):
        KeyRing(keys)


@pytest.mark.parametrize("text", ["", "not base64!", "c2hvcnQ=", "é" * 44, "A" * 42, "A" * 45])
def test_a_key_that_cannot_be_read_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(ValueError, match="32 bytes") as refusal:
        KeyRing.from_base64([text])

    assert not text or text not in str(refusal.value)


def test_a_ring_does_not_print_its_keys() -> None:
    assert "nnnn" not in repr(KeyRing([NEW]))


# Keyed hashes


def test_the_hash_is_hmac_sha256() -> None:
    rfc_4231_case_2 = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"

    assert keyed_hash(b"Jefe", "what do ya want for nothing?").hex() == rfc_4231_case_2
    for key in (b"", b"k", b"k" * 64, b"k" * 65, b"k" * 200):
        for text in ("", "é", "x" * 500):
            assert keyed_hash(key, text) == hmac.digest(key, text.encode(), "sha256")


# API keys and session tokens


@pytest.mark.parametrize("env", ["live", "test"])
def test_an_api_key_names_its_environment(env: Env) -> None:
    key = new_api_key(env)

    assert len(key) == len("svc_live_") + 42
    assert set(key.removeprefix(f"svc_{env}_")) <= set(BASE62)
    assert read_api_key(key) == ApiKeyText(env, key[:12])
    assert not is_session_token(key)


def test_keys_differ() -> None:
    assert len({new_api_key("test") for _ in range(1000)}) == 1000


def test_the_checksum_is_the_crc_of_everything_before_it() -> None:
    key = new_api_key("live")
    value = 0
    for char in key[-6:]:
        value = value * 62 + BASE62.index(char)

    assert value == crc32(key[:-6].encode())


def test_every_single_typo_is_noticed() -> None:
    key = new_api_key("live")

    for place, char in enumerate(key):
        for other in set(BASE62 + "_-é ") - {char}:
            assert read_api_key(f"{key[:place]}{other}{key[place + 1 :]}") is None


def test_the_environment_of_a_key_cannot_be_swapped() -> None:
    assert read_api_key(new_api_key("test").replace("svc_test_", "svc_live_")) is None


@given(st.one_of(st.text(), st.from_regex(r"svc_(live|test|sess)_[0-9A-Za-z]{42}", fullmatch=True)))
def test_text_that_is_no_key_is_refused_without_an_error(text: str) -> None:
    assert read_api_key(text) is None
    assert not is_session_token(text)


@pytest.mark.parametrize("around", ["{}\n", " {}", "{} ", "Bearer {}"])
def test_a_key_stands_alone(around: str) -> None:
    assert read_api_key(around.format(new_api_key("live"))) is None


def test_a_session_token_is_no_api_key() -> None:
    token = new_session_token()

    assert token.startswith("svc_sess_")
    assert len(token) == 51
    assert is_session_token(token)
    assert read_api_key(token) is None


# Webhook secrets


def test_a_webhook_secret_reads_the_same_in_both_base64_alphabets() -> None:
    for _ in range(200):
        text = new_webhook_secret().removeprefix("whsec_")
        assert len(text) == 32
        assert text.isalnum()
        assert base64.b64decode(text, validate=True) == base64.urlsafe_b64decode(text)
        assert len(base64.b64decode(text)) == 24


def test_a_webhook_secret_is_drawn_again_while_it_holds_a_dash_or_underscore(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draws = [b"\xfb" * 24, b"\xff" * 24, b"\x00" * 24]
    monkeypatch.setattr(os, "urandom", lambda _: draws.pop(0))

    assert new_webhook_secret() == "whsec_" + "A" * 32
