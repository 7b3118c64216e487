"""How the contract is written down: one kind of row for each question that it answers.

A file of `rows/` holds rows of one domain, under these names; each is optional:

- `RECORDS`: functions that make a record of a caller's and answer its id, by the word for it;
- `ENDPOINTS`, `REFUSALS`, `EVENTS`, `LIMITS`, `PAGES`, `ANSWERS`, `MACHINES`, `CALLBACKS`,
  `OTHER_ROUTES`: the rows.

In a path, a query or a body, the text `<word>` stands for the id of a record that is made before
the request.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as filled
from typing import Any, Literal, TypeAlias

from tests.contract.codes import STATUSES
from tests.contract.world import World

WITHOUT_KEY = frozenset(
    {
        "POST /v2/sessions",
        "POST /v2/accounts/accept",
        "POST /v2/me/second-factor",
        "POST /v2/me/second-factor/confirm",
        "POST /v2/me/second-factor/remove",
        "POST /v2/sessions/password-reset",
        "POST /v2/sessions/password-reset/confirm",
        "POST /v2/contacts/{id}/documentos/revelar",
        "POST /contacts/import",
        "POST /v2/decisions/explicar",
        "POST /v2/segments/preview",
        "POST /v2/journeys/{id}/simular",
        "POST /v2/journeys/{id}/simular-amostra",
        "POST /v2/sms/preview",
        "POST /v2/push/preview",
        "POST /v2/flows/{id}/validate",
        "POST /v2/flows/{id}/publish",
        "POST /v2/flows/{id}/deprecate",
        "POST /webhooks/verify-signature",
        "POST /webhooks/validate",
        "POST /webhooks/{id}/test",
        "POST /v2/email/senders/{id}/verify",
        "POST /cards/{id}/arquivos",
        "POST /numbers/{numberId}/media/tickets",
        "POST /media/uploads/{ticket}",
        "POST /numbers/{numberId}/media",
        "POST /numbers/{numberId}/media/binary",
    }
)
"""What takes no Idempotency-Key though it is a POST. The service gives its reason for each."""

Before: TypeAlias = Callable[[World], Awaitable[object]]
"""What happens before a request, or makes an event happen."""

By = Literal["key", "session", "nobody"]


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One operation.

    `errors`: the statuses that it lists, in one text. `ids`: the records that the parameters of the
    path stand for. `body`, `query`: those of a call that succeeds, after `before`. `fields` and
    `parameters`: the names that the body and the query know; `one_of`: those of them that an empty
    body lacks too, where one of several must be there; `whole`: the code of what such a body lacks
    as a whole, where no field is the one to name; `file`: the bytes that are sent in place of a
    body; a `!` marks a required one, `[]` a list, `*` a parameter that can be wrong (any other
    takes any text). `key`: its calls bear an Idempotency-Key (`takes_key` says who honours one).
    `by`: who may call it. `unknown_is`: the status for a strange id outside the path; None when it
    is no refusal. `both_environments`: its records are seen from either. `other`: another status of
    its success, which a test of its own meets. `record_stays`: what is deleted is marked, and
    deleting it again changes nothing. `answers_file`: its answer is a file, whole, in part, or
    elsewhere. `never`: listed errors that no request meets.
    """

    address: str
    scope: str | None
    status: int = 200
    again: int | None = None
    other: int | None = None
    errors: str
    ids: Mapping[str, str] = filled(default_factory=dict)
    query: Mapping[str, str] = filled(default_factory=dict)
    body: Any = None
    file: bytes | None = None
    parameters: str = ""
    fields: str = ""
    one_of: str = ""
    whole: str = ""
    optional_body: bool = False
    key: Literal["required", "optional"] | None = None
    by: By = "key"
    before: Before | None = None
    unknown_is: int | None = None
    both_environments: bool = False
    record_stays: bool = False
    env: Literal["test", "live"] = "test"
    body_limit: int = 1_000_000
    answers_file: bool = False
    never: str = ""

    @property
    def method(self) -> str:
        return self.address.partition(" ")[0]

    @property
    def path(self) -> str:
        return self.address.partition(" ")[2]

    @property
    def takes_key(self) -> bool:
        """Whether it honours an Idempotency-Key: every POST does that is not named below."""
        return self.method == "POST" and self.address not in WITHOUT_KEY

    @property
    def of_the_key(self) -> set[int]:
        """The statuses in which a key is refused."""
        if not self.takes_key:
            return set()
        return {409, 422 if 422 in self.statuses and 400 not in self.statuses else 400}

    @property
    def statuses(self) -> set[int]:
        """The errors."""
        return {int(status) for status in self.errors.split()}

    @property
    def required(self) -> list[str]:
        """The required fields of the body."""
        return [
            name.rstrip("!").removesuffix("[]")
            for name in self.fields.split()
            if name.endswith("!")
        ]

    @property
    def field_names(self) -> dict[str, bool]:
        """The fields of the body, and whether each is a list."""
        bare = [name.rstrip("!") for name in self.fields.split()]
        return {name.removesuffix("[]"): name.endswith("[]") for name in bare}

    @property
    def parameter_names(self) -> dict[str, bool]:
        """The parameters of the query, and whether each can be wrong."""
        return {name.rstrip("*!"): "*" in name for name in self.parameters.split()}

    @property
    def required_parameters(self) -> set[str]:
        return {name.rstrip("*!") for name in self.parameters.split() if "!" in name}


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """One reason to refuse, and a request that meets it.

    The request is the happy one of its endpoint with `change` laid over the body and `query` over
    the parameters; a change to `...` takes the field out, and `content` stands for the whole body.
    `meta`: what the facts hold; `...` for a fact of any value. `wrong`: the fields that are named, with the code of each. `proven_by`: the
    test that shows a refusal which no single request can meet (a race, an outage, a refusal of the
    shell).
    """

    status: int
    address: str = ""
    meta: Mapping[str, Any] = filled(default_factory=dict)
    wrong: Mapping[str, str] = filled(default_factory=dict)
    change: Mapping[str, Any] = filled(default_factory=dict)
    query: Mapping[str, str] = filled(default_factory=dict)
    headers: Mapping[str, Any] = filled(default_factory=dict)
    content: bytes | None = None
    before: Before | None = None
    by: By | None = None
    env: Literal["test", "live"] | None = None
    retry_after: bool = False
    writes: bool = False
    proven_by: str | None = None

    @property
    def code(self) -> str:
        """What the table of codes says of the status."""
        return next(code for code, statuses in STATUSES.items() if self.status in statuses)

    @property
    def refinement(self) -> str | None:
        """What `meta.code` or `meta.motivo` says."""
        found: str | None = self.meta.get("code") or self.meta.get("motivo")
        return found

    def __str__(self) -> str:
        return f"{self.status} {self.refinement or ' '.join(self.wrong.values()) or self.code} {self.address}"


@dataclass(frozen=True, kw_only=True)
class Event:
    """One event: what makes it happen, and the names in its `data`, `?` behind those that may be
    absent.
    """

    name: str
    data: str
    cause: Before
    env: Literal["test", "live"] = "test"

    @property
    def always(self) -> set[str]:
        return {name for name in self.data.split() if not name.endswith("?")}

    @property
    def sometimes(self) -> set[str]:
        return {name.rstrip("?") for name in self.data.split() if name.endswith("?")}


Wrong: TypeAlias = tuple[Any, str] | tuple[Any, str, str]
"""A value that is refused, the code that says why, and where the error stands if not at the field
itself.
"""


@dataclass(frozen=True, kw_only=True)
class Limit:
    """The border of one field.

    `field`: `/a/b` in the body, `?name` in the query, `#name` in the headers; `/` is the whole
    body. `takes`: values on the near side of the border, `refuses`: those beyond it. `<word>` is a
    record in them too.
    """

    address: str
    field: str
    takes: Sequence[Any] = ()
    refuses: Sequence[Wrong] = ()
    change: Mapping[str, Any] = filled(default_factory=dict)
    before: Before | None = None
    status: int | None = None


@dataclass(frozen=True, kw_only=True)
class Page:
    """A list: how many it answers unless told, and at most. `fill` makes so many records.

    `above`: whether more than the ceiling is `cut` to it or `refused`.
    """

    address: str
    fill: Callable[[World, int], Awaitable[object]]
    default: int = 50
    ceiling: int = 200
    above: Literal["cut", "refused"] = "cut"
    skips: bool = True
    query: Mapping[str, str] = filled(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What an answer says: of the happy request with `change` laid over its body, after `before`.

    `tells`: values by their place in the answer, `a/0/b` for a field of the first item of a field.
    """

    address: str
    tells: Mapping[str, Any]
    change: Mapping[str, Any] = filled(default_factory=dict)
    query: Mapping[str, str] = filled(default_factory=dict)
    before: Before | None = None
    env: Literal["test", "live"] | None = None


@dataclass(frozen=True, kw_only=True)
class Callback:
    """An address that a provider posts to: an item that is taken, and one that is not. `header`
    holds the proof.
    """

    path: str
    item: Mapping[str, Any]
    bad_item: Mapping[str, Any]
    body_limit: int = 2_000_000
    header: str = "X-Gateway-Signature"


@dataclass(frozen=True, kw_only=True)
class OtherRoute:
    """An address outside the operation list that anybody may GET: an `example` of it, and what it
    answers.

    `posts`, `puts`, `deletes`: these methods mean something there too. `hidden`: without a setting there is
    nothing, whatever the method.
    """

    path: str
    example: str = ""
    status: int = 200
    media: str = "application/json"
    posts: bool = False
    puts: bool = False
    deletes: bool = False
    hidden: bool = False


@dataclass(frozen=True, kw_only=True)
class Move:
    """From this state, by this cause, to that state; `effects` are what it leaves behind, in one
    text.
    """

    start: str
    cause: str
    end: str
    effects: str = ""


@dataclass(frozen=True, kw_only=True)
class Machine:
    """The states of one kind of record.

    `states` bring a record into each state and answer its id; `causes` do something to it, and a
    cause that is refused says so in an effect. What no move tells changes nothing: every pair of
    state and cause is tried.
    """

    name: str
    states: Mapping[str, Callable[[World], Awaitable[str]]]
    causes: Mapping[str, Callable[[World, str], Awaitable[object]]]
    moves: Sequence[Move]
    state_of: Callable[[World, str], Awaitable[str]]
    effects_of: Callable[[World, str], Awaitable[list[str]]]
    env: Literal["test", "live"] = "test"
