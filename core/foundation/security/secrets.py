"""Encryption at rest and credentials handed out: fields, keyed hashes, API keys, webhook secrets."""

import os
import re
from base64 import b64decode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, NamedTuple, Self, cast
from zlib import crc32

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from core.foundation.ids import BASE62, random_base62

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

Env = Literal["live", "test"]

KEY_BYTES = 32
NONCE_BYTES = 12
HMAC_BLOCK = 64
"""Bytes that SHA-256 takes up at once, which HMAC makes of a key (RFC 2104)."""
SHOWN_CHARACTERS = 12
"""How much of an API key is stored in clear, so that its owner recognises it."""

_URLSAFE_TO_PLAIN = str.maketrans("-_", "+/")


# Encrypted fields ---------------------------------------------------------------------------------


class CannotDecrypt(Exception):
    """The token was made with an unknown key or for another place, or somebody changed it."""


class KeyRing:
    """AES-256-GCM with keys that can be replaced: the first encrypts, every one decrypts.

    A token reads `<key id>.<base64url of nonce, ciphertext and tag>`. `context` says where the
    value lives (table, column, row): a token copied to another place does not decrypt there. Nonces
    are random, which is safe for 2^32 values per key.
    """

    __slots__ = ("_ciphers", "_newest")

    def __init__(self, keys: Sequence[bytes]) -> None:
        """`keys`: 32 bytes each, newest first. Raises ValueError on none, a wrong length or a
        repetition.
        """
        if not keys or any(len(key) != KEY_BYTES for key in keys):
            raise ValueError("Encryption needs at least one key, and every key has 32 bytes")
        self._ciphers = {key_id(key): AESGCM(key) for key in keys}
        if len(self._ciphers) != len(keys):
            raise ValueError("An encryption key is given twice")
        self._newest = next(iter(self._ciphers))

    @classmethod
    def from_base64(cls, texts: Iterable[str]) -> Self:
        """The ring of keys written as base64 or base64url of 32 bytes, newest first. Raises
        ValueError.
        """
        return cls([_read_key(text) for text in texts])

    def encrypt(self, plain: str, *, context: str) -> str:
        """A token of ASCII letters, digits, `-`, `_`, `=` and one `.`; never the same twice."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._ciphers[self._newest].encrypt(nonce, plain.encode(), context.encode())
        return f"{self._newest}.{urlsafe_b64encode(nonce + sealed).decode('ascii')}"

    def decrypt(self, token: str, *, context: str) -> str:
        """What was encrypted, under the same context. Raises CannotDecrypt."""
        key_id, _, sealed = token.partition(".")
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise CannotDecrypt("No key of the ring made this token")
        try:
            raw = urlsafe_b64decode(sealed)
            return cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], context.encode()).decode()
        except (InvalidTag, ValueError):
            raise CannotDecrypt("The token was changed, or it belongs to another place") from None

    def knows(self, key_id: str) -> bool:
        """Whether the ring has the key of this id, the part of a token before its `.`."""
        return key_id in self._ciphers

    @property
    def newest(self) -> str:
        """The id of the key that encrypts."""
        return self._newest

    def is_current(self, token: str) -> bool:
        """Whether the newest key made the token; if not, encrypting it again lets the old key go."""
        return token.startswith(f"{self._newest}.")

    def renew(self, token: str, *, context: str) -> str:
        """The same value under the newest key; the token itself where that made it. Raises
        CannotDecrypt.
        """
        return (
            token
            if self.is_current(token)
            else self.encrypt(self.decrypt(token, context=context), context=context)
        )


def key_id(key: bytes) -> str:
    """Eight characters that name a key and reveal nothing of it."""
    return urlsafe_b64encode(keyed_hash(key, "key id")[:6]).decode("ascii")


def _read_key(text: str) -> bytes:
    try:
        return b64decode(text.translate(_URLSAFE_TO_PLAIN) + "=" * (-len(text) % 4), validate=True)
    except ValueError:
        # The text is a secret: it does not reach the message.
        raise ValueError("An encryption key is base64 of 32 bytes") from None


# Keyed hashes -------------------------------------------------------------------------------------


def keyed_hash(key: bytes, text: str) -> bytes:
    """HMAC-SHA256, 32 bytes: an index over secret or personal data that is useless without the key."""
    return _begun(key).of(text.encode()).digest()


class KeyedHasher:
    """HMAC-SHA256 with one key, which both of its hashes have begun with: they are copied for each text.
    The copies of `hmac` take twice as long, and to begin anew takes longer still.
    """

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        block = (key if len(key) <= HMAC_BLOCK else sha256(key).digest()).ljust(HMAC_BLOCK, b"\0")
        self._inner = sha256(bytes(byte ^ 0x36 for byte in block))
        self._outer = sha256(bytes(byte ^ 0x5C for byte in block))

    def of(self, text: bytes) -> "Hash":
        """The keyed hash of the text; `digest` and `hexdigest` tell it."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(text)
        outer.update(inner.digest())
        return outer


@lru_cache(maxsize=8)
def _begun(key: bytes) -> KeyedHasher:
    return KeyedHasher(key)


# API keys and session tokens ----------------------------------------------------------------------

_RANDOM_CHARACTERS = 36
_CHECKSUM_CHARACTERS = 6
_CREDENTIAL = re.compile(r"svc_(live|test|sess)_[0-9A-Za-z]{42}")
CREDENTIAL_LENGTH = len("svc_live_") + _RANDOM_CHARACTERS + _CHECKSUM_CHARACTERS
"""Characters of every key and of every session token."""
_PAIRS = [first + second for first in BASE62 for second in BASE62]


class ApiKeyText(NamedTuple):
    """A well-formed API key: the environment it names, and the beginning that may be stored in
    clear.
    """

    env: Env
    shown: str


def new_api_key(env: Env) -> str:
    """`svc_live_` or `svc_test_`, 36 random characters (214 bits) and a checksum of 6, all base62."""
    return _new_credential(env)


def new_session_token() -> str:
    """`svc_sess_` and the same 42 characters as an API key."""
    return _new_credential("sess")


def read_api_key(text: str) -> ApiKeyText | None:
    """The key's facts, or None for what cannot be one of ours: a typo is refused without a query."""
    kind = _credential_kind(text)
    if kind is None or kind == "sess":
        return None
    return ApiKeyText(cast(Env, kind), text[:SHOWN_CHARACTERS])


def is_session_token(text: str) -> bool:
    """Whether the text has the form and the checksum of a session token."""
    return _credential_kind(text) == "sess"


def _new_credential(kind: str) -> str:
    text = f"svc_{kind}_{random_base62(_RANDOM_CHARACTERS)}"
    return text + _checksum(text)


def _credential_kind(text: str) -> str | None:
    found = _CREDENTIAL.fullmatch(text)
    if found is None or text[-_CHECKSUM_CHARACTERS:] != _checksum(text[:-_CHECKSUM_CHARACTERS]):
        return None
    return found[1]


def _checksum(text: str) -> str:
    """CRC-32 in six characters of base62, highest first. It finds typos; it proves nothing."""
    rest, low = divmod(crc32(text.encode()), 3844)
    high, middle = divmod(rest, 3844)
    return _PAIRS[high] + _PAIRS[middle] + _PAIRS[low]


# Webhook secrets ----------------------------------------------------------------------------------


def new_webhook_secret() -> str:
    """`whsec_` and 32 characters, 24 random bytes, that read the same in base64 and in base64url.

    Drawn again while they hold `-` or `_`, so that every Standard Webhooks library can decode them.
    """
    while True:
        text = urlsafe_b64encode(os.urandom(24)).decode("ascii")
        if text.isalnum():
            return f"whsec_{text}"
