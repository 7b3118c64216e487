"""Whether an answer is what a page shows. `…` stands for what differs each time, or is left out
there.
"""

import json
import re
from typing import Any

REST = "…"


def read_documents(text: str) -> list[Any]:
    """One or several JSON documents, one after the other."""
    decoder, documents, place = json.JSONDecoder(), [], 0
    while rest := text[place:].lstrip():
        document, length = decoder.raw_decode(rest)
        documents.append(document)
        place = len(text) - len(rest) + length
    return documents


def misfits(shown: Any, answered: Any, where: str = "") -> list[str]:
    """Every place where the answer is not what is shown: other fields, other types, other values."""
    match shown, answered:
        case dict(), dict():
            return _fields(shown, answered, where)
        case list(), list():
            return _items(shown, answered, where)
        case str(), _ if shown == REST:
            return []
        case str(), str() if REST in shown:
            pattern = ".*".join(map(re.escape, shown.split(REST)))
            return (
                []
                if re.fullmatch(pattern, answered, re.DOTALL)
                else [f"{where}: {answered!r} for {shown!r}"]
            )
    same = shown == answered and isinstance(shown, bool) == isinstance(answered, bool)
    return [] if same else [f"{where}: {answered!r} for {shown!r}"]


def _fields(shown: dict[str, Any], answered: dict[str, Any], where: str) -> list[str]:
    named = [name for name in shown if name != REST]
    wrong = [f"{where}/{name} is not answered" for name in named if name not in answered]
    if REST not in shown:
        wrong += [f"{where}/{name} is not shown" for name in answered if name not in shown]
    for name in named:
        if name in answered:
            wrong += misfits(shown[name], answered[name], f"{where}/{name}")
    return wrong


def _items(shown: list[Any], answered: list[Any], where: str) -> list[str]:
    open_ended = shown[-1:] == [REST]
    named = shown[:-1] if open_ended else shown
    if len(answered) < len(named) or (len(answered) > len(named) and not open_ended):
        return [f"{where} has {len(answered)} items for {len(named)}"]
    return [
        wrong
        for place, (one, other) in enumerate(zip(named, answered, strict=False))
        for wrong in misfits(one, other, f"{where}/{place}")
    ]
