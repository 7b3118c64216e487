"""The refusals: one kind for each code, each with a sentence for a person."""

import pytest

from core.foundation import errors
from core.foundation.errors import FieldError, NotFound, RateLimited, ServiceError, ValidationFailed

CODES = {
    "BAD_REQUEST",
    "UNAUTHORIZED",
    "PAYMENT_REQUIRED",
    "FORBIDDEN",
    "NOT_FOUND",
    "METHOD_NOT_ALLOWED",
    "CONFLICT",
    "PRECONDITION_FAILED",
    "VALIDATION_ERROR",
    "RATE_LIMITED",
    "INTERNAL",
    "DEPENDENCY_FAILED",
    "SERVICE_UNAVAILABLE",
}
KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, ServiceError)
]


def test_every_code_of_the_interface_has_a_kind_and_no_other_code_exists() -> None:
    assert {kind.code for kind in KINDS if kind is not ServiceError} == CODES


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not ServiceError])
def test_every_kind_says_what_to_do_in_one_sentence(kind: type[ServiceError]) -> None:
    error = kind()

    assert error.detail == kind.default_detail == str(error)
    assert error.detail.endswith(".")
    assert "\n" not in error.detail
    assert (error.meta, error.errors, error.retry_after) == ({}, (), None)


def test_a_refusal_carries_its_facts() -> None:
    field = FieldError("pointer", "/to", "required", "This field is required")
    error = ValidationFailed("Say where to.", meta={"n": 1}, errors=[field], retry_after=3)

    assert (error.detail, error.meta, error.errors, error.retry_after) == (
        "Say where to.",
        {"n": 1},
        (field,),
        3,
    )


def test_the_facts_of_one_refusal_are_not_anothers() -> None:
    shared = {"n": 1}
    first, second = NotFound(meta=shared), NotFound()
    first.meta["n"] = 2
    second.meta["m"] = 1

    assert shared == {"n": 1}
    assert NotFound().meta == {}


@pytest.mark.parametrize("kind", ["pointer", "parameter", "header"])
def test_a_field_is_named_by_its_place(kind: str) -> None:
    error = FieldError(kind, "/a", "required", "This field is required")  # type: ignore[arg-type]

    assert error.as_wire() == {kind: "/a", "code": "required", "message": "This field is required"}


def test_a_door_can_tell_the_kinds_apart_by_their_class() -> None:
    assert issubclass(errors.PayloadTooLarge, errors.BadRequest)
    assert issubclass(errors.UnsupportedMedia, errors.BadRequest)
    assert not issubclass(RateLimited, errors.BadRequest)
