import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.foundation.ids import BASE62, is_id, new_id, random_base62

FORKING = """
import os
from core.foundation.ids import new_id

new_id("msg")  # both sides inherit a stock
child = os.fork()
os.write(1, "".join(new_id("msg") + " " for _ in range(200)).encode())
if child:
    os.waitpid(child, 0)
"""


def test_an_id_is_its_prefix_and_21_characters_of_base62() -> None:
    prefix, _, body = new_id("cnt").partition("_")

    assert prefix == "cnt"
    assert len(body) == 21
    assert set(body) <= set(BASE62)


def test_ids_do_not_repeat_across_batches_and_threads() -> None:
    with ThreadPoolExecutor(8) as threads:
        ids = list(threads.map(lambda _: new_id("msg"), range(20_000)))

    assert len(set(ids)) == 20_000


def test_every_character_is_equally_likely() -> None:
    drawn = Counter(random_base62(310_000))

    expected = 310_000 / 62
    chi_square = sum((drawn[char] - expected) ** 2 / expected for char in BASE62)
    assert chi_square < 140  # 61 degrees of freedom: exceeded once in about 10^8 runs


def test_a_forked_child_draws_ids_of_its_own() -> None:
    run = subprocess.run(
        [sys.executable, "-c", FORKING], capture_output=True, text=True, check=True
    )

    ids = run.stdout.split()
    assert len(ids) == 400
    assert len(set(ids)) == 400


@pytest.mark.parametrize("length", [0, 1, 36, 500])
def test_random_text_has_the_length_asked_for(length: int) -> None:
    assert len(random_base62(length)) == length


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("cnt_" + "a" * 21, True),
        ("cnt_" + "aZ9" * 7, True),
        ("cnt_" + "a" * 20, False),
        ("cnt_" + "a" * 22, False),
        ("org_" + "a" * 21, False),
        ("xcnt_" + "a" * 21, False),
        ("cnt-" + "a" * 21, False),
        ("cnt_" + "a" * 20 + "-", False),
        ("cnt_" + "a" * 20 + "\n", False),
        ("cnt_" + "a" * 20 + "é", False),
        ("cnt_" + "a" * 20 + "²", False),
        ("", False),
    ],
)
def test_the_form_of_an_id(text: str, fits: bool) -> None:
    assert is_id("cnt", text) is fits
