"""jq, on every machine the same: `jq [-rcn] PROGRAM [FILE]`."""

import json
import sys
from pathlib import Path

import jq

options = "".join(word for word in sys.argv[1:] if word.startswith("-"))
program, *files = [word for word in sys.argv[1:] if not word.startswith("-")]
assert set(options) <= set("-rcn"), options
text = "null"
if "n" not in options:
    text = Path(files[0]).read_text(encoding="utf-8") if files else sys.stdin.read()
for value in jq.compile(program).input_text(text):
    raw = "r" in options and isinstance(value, str)
    sys.stdout.write((value if raw else json.dumps(value, ensure_ascii=False)) + "\n")
