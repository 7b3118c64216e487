"""Made-up CPF and CNPJ numbers with right check digits; whoever has one of them is not meant."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random


def cpf(random: Random) -> str:
    """Eleven digits."""
    digits = _digits(random, 9)
    digits.append(_check(digits, range(10, 1, -1)))
    digits.append(_check(digits, range(11, 1, -1)))
    return "".join(map(str, digits))


def cnpj(random: Random) -> str:
    """Fourteen digits, of a head office."""
    return cnpj_of_root("".join(map(str, _digits(random, 8))))


def cnpj_of_root(root: str) -> str:
    """The CNPJ of the head office of the company with these eight digits and capital letters."""
    values = [ord(character) - ord("0") for character in f"{root}0001"]
    values.append(_check(values, (5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)))
    values.append(_check(values, (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)))
    return f"{root}0001{values[-2]}{values[-1]}"


def birth_date(random: Random, today: date) -> str:
    """The birthday of somebody from 18 to 85, most of them young."""
    age = 18 + 67 * random.random() ** 1.7
    return (today - timedelta(days=age * 365.25)).isoformat()


def _digits(random: Random, count: int) -> list[int]:
    """Not all of them the same: the CPF 111.111.111-11 has right check digits and is refused."""
    while True:
        digits = [int(random.random() * 10) for _ in range(count)]
        if len(set(digits)) > 1:
            return digits


def _check(digits: Sequence[int], weights: Sequence[int]) -> int:
    rest = sum(digit * weight for digit, weight in zip(digits, weights, strict=True)) % 11
    return 0 if rest < 2 else 11 - rest
