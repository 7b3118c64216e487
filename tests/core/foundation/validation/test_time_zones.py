import pytest
from pydantic import TypeAdapter, ValidationError

from core.foundation.validation.time_zones import Clock, Zone


@pytest.mark.parametrize("name", ["America/Sao_Paulo", "America/Manaus", "UTC"])
def test_a_zone_is_known_by_its_name(name: str) -> None:
    assert TypeAdapter[str](Zone).validate_python(name) == name


@pytest.mark.parametrize(
    "name", ["Mars/Olympus", "localtime", "posixrules", "Factory", "", "../etc/passwd", "x" * 65]
)
def test_anything_else_is_no_zone(name: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter[str](Zone).validate_python(name)


@pytest.mark.parametrize(
    ("text", "fits"), [("00:00", True), ("23:59", True), ("24:00", False), ("9:00", False)]
)
def test_a_time_of_day_has_two_digits_each(text: str, fits: bool) -> None:
    if fits:
        assert TypeAdapter[str](Clock).validate_python(text) == text
    else:
        with pytest.raises(ValidationError):
            TypeAdapter[str](Clock).validate_python(text)
