"""The collector of defects in components: each is noted with its place, validation goes on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Place = tuple[str | int, ...]

VARIABLE = re.compile(r"\{\{([1-9][0-9]{0,2})\}\}", re.ASCII)
BRACES = re.compile(r"\{\{|\}\}")
MAX_EXAMPLE_LENGTH = 1_024

MAX_DEFECTS = 200
"""More than a template that somebody wrote can have; whoever sends a million gets no longer an
answer.
"""


@dataclass(frozen=True, slots=True)
class ComponentDefect:
    """What is wrong at a place under `components`."""

    place: Place
    code: str
    message: str


@dataclass(slots=True)
class ComponentValidator:
    """What was found so far."""

    defects: list[ComponentDefect] = field(default_factory=list)

    def wrong(self, place: Place, code: str, message: str) -> None:
        if len(self.defects) < MAX_DEFECTS:
            self.defects.append(ComponentDefect(place, code, message))

    def object(self, value: Any, place: Place) -> dict[str, Any] | None:
        """The value as an object."""
        if isinstance(value, dict):
            return value
        self.wrong(place, "required" if value is None else "wrong_type", "Send an object")
        return None

    def only(self, value: dict[str, Any], names: Sequence[str], place: Place) -> None:
        """Note the fields that are not among these."""
        for name in value:
            if name not in names:
                self.wrong((*place, name), "unknown_field", "There is no such field here")

    def text(self, value: dict[str, Any], name: str, place: Place, *, most: int) -> str | None:
        """A required text that is not blank."""
        found, place = value.get(name), (*place, name)
        if found is None:
            self.wrong(place, "required", "This field is required")
        elif not isinstance(found, str):
            self.wrong(place, "wrong_type", "Send a text")
        elif not found.strip():
            self.wrong(place, "too_short", "Send a text that is not blank")
        else:
            if len(found) > most:
                self.wrong(place, "too_long", f"Send at most {most} characters")
            return found
        return None

    def variables(self, text: str, place: Place, *, most: int | None = None) -> list[int]:
        """The variables of a text, each once and in order; contiguous from {{1}}, and at most so
        many of them.
        """
        if BRACES.search(VARIABLE.sub("", text)):
            self.wrong(
                place,
                "wrong_format",
                "Write variables as {{1}}, {{2}} and so on, without spaces or names",
            )
        found = numbers_in(text)
        if found != list(range(1, len(found) + 1)):
            self.wrong(place, "not_contiguous", "Number the variables from {{1}} without a gap")
        if most is not None and len(found) > most:
            self.wrong(place, "too_many", f"At most {most} variable(s) may stand here")
        return found

    def examples(self, value: dict[str, Any], count: int, place: Place) -> None:
        """An example for each of so many variables: an array of texts, or a text where there is
        one.
        """
        given, place = value.get("example"), (*place, "example")
        if given is None:
            given = []
        elif isinstance(given, str):
            given = [given]
        elif not isinstance(given, list):
            self.wrong(place, "wrong_type", "Send an array of texts")
            return
        for index, one in enumerate(given):
            if not isinstance(one, str) or not one.strip():
                self.wrong((*place, index), "wrong_type", "An example is a text that is not blank")
            elif len(one) > MAX_EXAMPLE_LENGTH:
                self.wrong(
                    (*place, index), "too_long", f"Send at most {MAX_EXAMPLE_LENGTH} characters"
                )
        for index in range(len(given), count):
            self.wrong((*place, index), "required", "Each variable needs an example")
        if len(given) > count:
            self.wrong(place, "too_many", "There are more examples than variables")


def numbers_in(text: str) -> list[int]:
    """The numbers of the variables of a text, each once and in order."""
    return sorted({int(number) for number in VARIABLE.findall(text)})
