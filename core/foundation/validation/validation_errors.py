"""Validation errors that pydantic would not name by itself, and checks of several fields at once."""

from collections.abc import Callable, Iterable

from pydantic import BaseModel, ValidationError, ValidationInfo, field_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from core.foundation.validation.field_errors import UP
from core.foundation.validation.field_messages import findings, worded

Place = tuple[str | int, ...]

Fault = tuple[Place, str, str]
"""A place, as seen from what is being read; a code; a sentence."""


def faults(found: Iterable[Fault]) -> ValidationError:
    """The refusal that names them all."""
    return ValidationError.from_exception_data(
        "faults",
        [
            InitErrorDetails(
                type=PydanticCustomError(code, "{said}", {"said": said}), loc=place, input=None
            )
            for place, code, said in found
        ],
    )


def found_in(invalid: ValidationError) -> list[Fault]:
    """What a refusal names."""
    return [(detail["loc"], *worded(detail)) for detail in findings(invalid)]


def across(*names: str, takes_one: bool = False) -> Callable[[Callable[..., None]], object]:
    """The check of these fields of an `Input` against each other, by their values. A
    PydanticCustomError that it raises is a fault of the whole object; `faults` stand at their
    places in it.

    It is made as soon as all of them are right by themselves, where a validator of the model waits
    for all the others too: so whatever is wrong is named at once. They are given in the order of
    the model; where leaving out the last one can be the fault, that one says
    `validate_default=True`. `takes_one`: whether it is that one of them is sent, and no other.
    """

    before, last = names[:-1], names[-1]

    def decorate(check: Callable[..., None]) -> object:
        def checked(_: object, value: object, info: ValidationInfo) -> object:
            right = info.data
            for name in before:
                if name not in right:
                    return value
            try:
                check(*[right[name] for name in before], value)
            except PydanticCustomError as fault:
                found: list[Fault] = [((), fault.type, fault.message())]
            except ValidationError as invalid:
                found = found_in(invalid)
            else:
                return value
            raise faults(((UP, *place), code, said) for place, code, said in found)

        checked.across = names  # type: ignore[attr-defined]  # for the test that each of them is ever made
        checked.takes_one = takes_one  # type: ignore[attr-defined]  # for `is_choice`
        return field_validator(last)(classmethod(checked))

    return decorate


def exactly_one(*names: str, said: str, code: str = "required", at: Place = ()) -> object:
    """The check that one of these fields of an `Input` is sent, and no other of them."""

    def check(*values: object) -> None:
        if sum(value is not None for value in values) != 1:
            raise faults([(at, code, said)])

    return across(*names, takes_one=True)(check)


def is_choice(model: type[BaseModel]) -> bool:
    """Whether exactly one of all fields of a model is sent."""
    for check in model.__pydantic_decorators__.field_validators.values():
        if getattr(check.func, "takes_one", False):
            return model.model_fields.keys() == set(getattr(check.func, "across", ()))
    return False


def at_least_one(*names: str, said: str) -> object:
    """The check that any of these fields of an `Input` is sent."""

    def check(*values: object) -> None:
        for value in values:
            if value is not None:
                return
        raise faults([((), "required", said)])

    return across(*names)(check)


def only_with(
    needed: str, name: str, *, said: str, code: str = "not_allowed", at: Place = ()
) -> object:
    """The check that the field `name` of an `Input` is sent only together with `needed`, which the
    model has before it.
    """

    def check(other: object, value: object) -> None:
        if value is not None and other is None:
            raise faults([(at, code, said)])

    return across(needed, name)(check)
