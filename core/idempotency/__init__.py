"""One effect per Idempotency-Key: replay, conflict, and release after a refusal."""

from core.idempotency.claims import (
    CLAIM_LEASE,
    KEY_TTL,
    KeyUse,
    Remembered,
    answer_many,
    claim_many,
    claim_sql,
    end_leases,
    find_many,
    hash_of,
    is_key,
    key_use,
    key_use_in_turns,
    release_many,
    sweep,
)
from core.idempotency.concurrent import pause, wait_for_first
from core.idempotency.errors import (
    AnswerNotShown,
    InvalidKey,
    KeyReusedWithAnotherBody,
    RequestInProgress,
)
from core.idempotency.idempotent import Effect, answer_once, note_replay, once, was_replayed
from core.idempotency.stored_answers import StoredAnswer, forget_answers, redact_answers

__all__ = [
    "CLAIM_LEASE",
    "KEY_TTL",
    "AnswerNotShown",
    "Effect",
    "InvalidKey",
    "KeyReusedWithAnotherBody",
    "KeyUse",
    "Remembered",
    "RequestInProgress",
    "StoredAnswer",
    "answer_many",
    "answer_once",
    "claim_many",
    "claim_sql",
    "end_leases",
    "find_many",
    "forget_answers",
    "hash_of",
    "is_key",
    "key_use",
    "key_use_in_turns",
    "note_replay",
    "once",
    "pause",
    "redact_answers",
    "release_many",
    "sweep",
    "wait_for_first",
    "was_replayed",
]
