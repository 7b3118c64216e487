"""An entry of the error catalogue: a refusal, its meaning and remedy, and where it is answered."""

from collections.abc import Callable
from dataclasses import dataclass

from core.foundation.errors import ServiceError
from rest_api.support.operations import Operation
from rest_api.support.problems import STATUS, slug

Where = Callable[[Operation], bool]
"""Which operations answer a refusal."""


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """One `code` of the interface: what it means, and what to do when nothing narrower is told."""

    code: str
    meaning: str
    remedy: str

    @property
    def status(self) -> int:
        """The HTTP status it is answered with."""
        return STATUS[self.code]

    @property
    def slug(self) -> str:
        """The last part of the page's address."""
        return slug(self.code)


@dataclass(frozen=True, slots=True)
class ErrorDoc:
    """One reason for a refusal. `sample` is the refusal itself, so that the example is what the
    service answers.
    """

    sample: ServiceError
    meaning: str
    remedy: str
    where: Where

    @property
    def refinement(self) -> str | None:
        """What `meta.code` or `meta.motivo` says; None where the code alone has to do."""
        found: str | None = self.sample.meta.get("code") or self.sample.meta.get("motivo")
        return found

    @property
    def field(self) -> str | None:
        """Where the refinement stands."""
        return next(
            (f"meta.{name}" for name in ("code", "motivo") if name in self.sample.meta), None
        )


def everywhere(operation: Operation) -> bool:
    """Any operation."""
    return True


def nowhere(operation: Operation) -> bool:
    """Outside the operation list."""
    return False


def with_credential(operation: Operation) -> bool:
    """Operations that ask who is calling."""
    return not operation.public


def with_scope(operation: Operation) -> bool:
    """Operations that need a scope."""
    return operation.scope is not None


def with_key(operation: Operation) -> bool:
    """Operations that read an Idempotency-Key."""
    return operation.takes_key


def with_body(operation: Operation) -> bool:
    """Operations that read a body."""
    return operation.body is not None


def with_file(operation: Operation) -> bool:
    """Operations whose body is the bytes of a file."""
    return operation.takes_file


def with_any_body(operation: Operation) -> bool:
    """Operations that read a body of either kind."""
    return operation.body is not None or operation.takes_file


def with_file_answer(operation: Operation) -> bool:
    """Operations that answer the bytes of a file."""
    return operation.answers_file


def with_id(operation: Operation) -> bool:
    """Operations on one record."""
    return "{" in operation.path


def in_sandbox(operation: Operation) -> bool:
    """Operations of test keys."""
    return operation.path.startswith("/v2/sandbox/") and 404 in operation.errors


@dataclass(frozen=True, slots=True)
class At:
    """These operations and no other, each as `METHOD /path`."""

    addresses: frozenset[str]

    def __call__(self, operation: Operation) -> bool:
        return f"{operation.method} {operation.path}" in self.addresses


def at(*addresses: str) -> At:
    """At by name."""
    return At(frozenset(addresses))
