"""What a process says at its start of an SVC_HASH_KEY that is not the one of what is stored."""

import structlog

from core import contacts

SAMPLE = 100

log = structlog.get_logger()


async def tell_another_hash_key() -> None:
    """Say so, loudly: it would know no API key, and write to people who opted out. It is no reason
    not to start, nor is a database that cannot be asked.
    """
    try:
        others, seen = await contacts.stored_with_another_hash_key(sample=SAMPLE)
    except Exception as error:  # it lacks migrations, or is away again: both are told elsewhere
        log.warning("hash_key_unknown", error=type(error).__name__)
        return
    if others:
        log.error("hash_key_differs", others=others, contacts=seen)
