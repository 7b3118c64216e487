"""One entry per operation of the interface. The list builds the routes and the OpenAPI document."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, Literal

from pydantic import BaseModel
from typing_extensions import TypeVar

from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from core.foundation.validation.inputs import QueryInput
from rest_api.support.keys import UNKEYED
from rest_api.support.record_shapes import model_of
from rest_api.support.requests import Call, OtherSuccess
from rest_api.support.streams import ReadsBody

Body_co = TypeVar("Body_co", default=Any, covariant=True)
Query_co = TypeVar("Query_co", default=Any, covariant=True)
Answer_co = TypeVar("Answer_co", default=Any, covariant=True)

MEGABYTE = 1_000_000

MAX_BODY_BYTES = 160_000_000
"""Of all operations: 140,000,000 characters of base64, the escapes among them, and what stands
around them.

A proxy lets as much through; a test compares (docker/, docs/operations.md).
"""


@dataclass(frozen=True, slots=True)
class Operation(Generic[Body_co, Query_co, Answer_co]):
    """What the interface says of one operation: where it is, who may call it, what goes in and out.

    `errors` are the statuses that the interface lists; a refusal is answered with one of them. The
    handler returns the answer's body, or None for 204. With `body_optional`, a request without a
    body means the body's defaults. `other_status`: what is answered when the handler says
    `OtherSuccess`. `takes_file`: the body is the bytes of one file, at most `body_limit`; the
    handler finds an Upload in `call.body`. `reads`: reads the body piece by piece, in place of the
    usual ways; `body` or `takes_file` then only document it. `answers_file`: the answer is the
    bytes of a file, or a redirect to them; the handler answers a Streamed. `needs_key`: it is
    refused without an Idempotency-Key. `keys_itself`: the use case takes the key; else the entry point
    sees to it that the use case runs once per key. `heavy`: it reads or writes much, and shares the places
    that its organization has for that; every list with a filter does, too. `public`: no credential
    is asked for, and none is looked at. `locks`: its 429 is a lock after
    failures. For the documentation: `examples` of the body and `answers`
    by name, and example `ids` for the parameters of the path.
    """

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    handler: Callable[
        [Call[Body_co, Query_co]],
        Awaitable[Answer_co | WrittenPage[Answer_co] | OtherSuccess | None],
    ]
    scope: Scope | None
    summary: str
    tag: str
    errors: tuple[int, ...]
    status: int = 200
    other_status: int | None = None
    body: type[Body_co] | None = None
    body_optional: bool = False
    query: type[Query_co] | None = None
    answer: type[Answer_co] | type[BaseModel] | None = None
    needs_key: bool = False
    keys_itself: bool = False
    heavy: bool = False
    public: bool = False
    locks: bool = False
    takes_file: bool = False
    reads: ReadsBody | None = None
    answers_file: bool = False
    body_limit: int = MEGABYTE
    examples: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)
    description: str = ""
    takes_body: bool = field(init=False)
    """Whether it reads one."""
    takes_key: bool = field(init=False)
    """Whether it honours an Idempotency-Key."""

    def __post_init__(self) -> None:
        """What every request asks is worked out once."""
        takes_body = self.body is not None or self.takes_file or self.reads is not None
        takes_key = self.method == "POST" and f"POST {self.path}" not in UNKEYED
        object.__setattr__(self, "takes_body", takes_body)
        object.__setattr__(self, "takes_key", takes_key)

    @property
    def shape(self) -> type[BaseModel] | None:
        """The model that documents its answer."""
        return None if self.answer is None else model_of(self.answer)

    @property
    def parameters(self) -> type[QueryInput]:
        """What reads its query."""
        model: Any = self.query or QueryInput
        read: type[QueryInput] = model
        return read

    @property
    def successes(self) -> tuple[int, ...]:
        """The statuses of its success."""
        return (self.status,) if self.other_status is None else (self.status, self.other_status)

    @property
    def limited(self) -> bool:
        """Whether answers tell what is left of a limit. Limits are of organizations: who is yet to
        say who it is may be locked out for a while, but has nothing to use up.
        """
        return 429 in self.errors and not self.public and not self.locks

    @property
    def warns(self) -> bool:
        """Whether its answer tells what of the query was passed over: every list does."""
        answer: Any = self.answer
        return self.method == "GET" and _has_warnings(answer)

    def is_heavy(self, query: QueryInput | None) -> bool:
        """Whether it is done on the connections for heavy work when this is asked: the filters of
        any list may have to look at much. A list without one is read by its index.
        """
        return self.heavy or (self.warns and query is not None and not query.is_plain)

    @property
    def lenient(self) -> bool:
        """Neither 400 nor 422 is listed: a parameter that cannot be read is ignored, with a
        warning.
        """
        return 400 not in self.errors and 422 not in self.errors


@cache
def _has_warnings(answer: Any) -> bool:
    """Remembered, because it is asked at every request."""
    return answer is not None and "warnings" in model_of(answer).model_fields
