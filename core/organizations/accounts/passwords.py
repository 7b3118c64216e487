"""Password hashing: Argon2id as PHC strings, in threads, because each takes the CPU for a while."""

import asyncio
import os
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

# The OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. Stored hashes follow at the
# next log-in.
MEMORY_KIB = 19_456
PASSES = 2
LANES = 1
SALT_BYTES = 16
HASH_BYTES = 32

THREADS = 2

Answer = TypeVar("Answer")

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="password")


async def hash_password(password: str) -> str:
    """The PHC string to store."""
    return await _in_a_thread(lambda: _argon2().derive_phc_encoded(_bytes_of(password)))


async def password_fits(password: str, stored: str | None) -> bool:
    """Whether it is the password behind a stored string. Without one it takes the same time, and
    does not fit.
    """
    phc = stored or _phc_of_nobody()
    return await _in_a_thread(lambda: _fits(password, phc)) and stored is not None


def is_outdated(stored: str) -> bool:
    """Whether the string was made with other parameters than ours."""
    return not stored.startswith(_beginning())


def _argon2() -> Argon2id:
    return Argon2id(
        salt=os.urandom(SALT_BYTES),
        length=HASH_BYTES,
        iterations=PASSES,
        lanes=LANES,
        memory_cost=MEMORY_KIB,
    )


def _fits(password: str, phc: str) -> bool:
    try:
        Argon2id.verify_phc_encoded(_bytes_of(password), phc)
    except InvalidKey:
        return False
    return True


def _bytes_of(password: str) -> bytes:
    """Keyboards spell the same letter in several ways."""
    return unicodedata.normalize("NFKC", password).encode()


def _beginning() -> str:
    return f"$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}$"


def _phc_of_nobody() -> str:
    """A string that no password fits, as laborious as a real one: salt and hash are base64 of
    zeros.
    """
    return f"{_beginning()}{'A' * 22}${'A' * 43}"


async def _in_a_thread(work: Callable[[], Answer]) -> Answer:
    return await asyncio.get_running_loop().run_in_executor(_threads, work)
