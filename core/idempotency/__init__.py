"""One effect per Idempotency-Key: replay, conflict, and release after a refusal."""

from core.idempotency.answers import Answer, answer_once, forget_answers
from core.idempotency.claims import (
    LEASE,
    LIFETIME,
    KeyUse,
    Remembered,
    answer_many,
    claim_many,
    end_leases,
    find_many,
    hash_of,
    is_key,
    key_use,
    release_many,
    sweep,
)
from core.idempotency.errors import (
    AnswerNotShown,
    InvalidKey,
    KeyReusedWithAnotherBody,
    StillUnderWay,
)
from core.idempotency.once import Effect, once
from core.idempotency.replays import note_replay, was_replayed
from core.idempotency.twins import after_the_twin, pause

__all__ = [
    "LEASE",
    "LIFETIME",
    "Answer",
    "AnswerNotShown",
    "Effect",
    "InvalidKey",
    "KeyReusedWithAnotherBody",
    "KeyUse",
    "Remembered",
    "StillUnderWay",
    "after_the_twin",
    "answer_many",
    "answer_once",
    "claim_many",
    "end_leases",
    "find_many",
    "forget_answers",
    "hash_of",
    "is_key",
    "key_use",
    "note_replay",
    "once",
    "pause",
    "release_many",
    "sweep",
    "was_replayed",
]
