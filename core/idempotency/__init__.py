"""One effect per Idempotency-Key: replay, conflict, and release after a refusal."""

from core.idempotency.claims import KeyUse, Remembered, claim_many, find_many, hash_of, sweep
from core.idempotency.errors import InvalidKey, KeyReusedWithAnotherBody, StillUnderWay

__all__ = [
    "InvalidKey",
    "KeyReusedWithAnotherBody",
    "KeyUse",
    "Remembered",
    "StillUnderWay",
    "claim_many",
    "find_many",
    "hash_of",
    "sweep",
]
