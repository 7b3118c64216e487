"""How the pages look: one file each, with nothing to load and nothing to run."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from rest_api.support.problems import slug

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #0a7d5a }
@media (prefers-color-scheme: dark) { :root { --accent: #4cc79c } }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem }
nav, .small { font-size: .9rem; opacity: .85 }
a { color: var(--accent) }
h1 { font-size: 1.7rem; margin: 1.2rem 0 .3rem; overflow-wrap: anywhere }
h2 { font-size: 1.15rem; margin: 2rem 0 .3rem; padding-top: .8rem; border-top: 1px solid var(--line) }
h3 { font-size: 1rem; margin: 1.2rem 0 .2rem }
code, pre { font: .88em/1.5 ui-monospace, Menlo, Consolas, monospace; background: var(--soft); border-radius: 4px }
code { padding: .1em .3em }
pre { padding: .8rem; overflow-x: auto }
pre code { background: none; padding: 0 }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line) }
summary { cursor: pointer }
"""
POLICY = (
    f"default-src 'none'; style-src 'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def index_page(content: Mapping[str, Any]) -> str:
    """All codes, then all refinements."""
    codes = ((_link(item["code"]), str(item["status"]), _text(item["meaning"])) for item in content["items"])
    finer = (
        (_link(item["refinement"]), f"<code>{item['field']}</code> of {item['code']}", _text(item["meaning"]))
        for item in content["refinements"]
    )
    return _document(
        "Problems",
        "<h1>Problems</h1><p>Every refusal is an <code>application/problem+json</code> document (RFC 9457). Decide by "
        "<code>status</code> and <code>code</code>, and where it matters by the refinement in <code>meta</code>; "
        "<code>title</code> and <code>detail</code> are for people.</p>"
        f"<h2>Codes</h2>{_table(codes)}<h2>Refinements</h2>{_table(finer)}",
    )


def kind_page(content: Mapping[str, Any]) -> str:
    """One code, its causes, and an example of each."""
    parts = [
        f"<h1>{content['code']}</h1><p class=small>HTTP {content['status']} {content['title']}</p>",
        f"<p>{_text(content['meaning'])}</p><p><b>What to do:</b> {_text(content['whatToDo'])}</p>",
        "<h2>Typical causes</h2>",
        *map(_cause, content["causes"]),
    ]
    if fields := content.get("fieldCodes"):
        rows = ((f"<code>{escape(code)}</code>", _text(meaning)) for code, meaning in fields.items())
        parts.append(f"<h2>Codes of wrong fields (<code>errors[].code</code>)</h2>{_table(rows)}")
    return _document(content["code"], "".join(parts))


def refinement_page(content: Mapping[str, Any]) -> str:
    """One refinement, wherever it is used."""
    causes = "".join(
        f"<p class=small><code>{cause['field']}</code>, HTTP {cause['status']} {_link(cause['code'])}</p>"
        f"<p>{_text(cause['meaning'])}</p><p><b>What to do:</b> {_text(cause['whatToDo'])}</p>{_example(cause)}"
        for cause in content["causes"]
    )
    return _document(content["refinement"], f"<h1>{escape(content['refinement'])}</h1>{causes}")


def _cause(cause: Mapping[str, Any]) -> str:
    name = cause.get("refinement")
    finer = f"<p class=small><code>{cause['field']}</code>: {_link(name)}</p>" if name else ""
    return f"<h3>{_text(cause['meaning'])}</h3>{finer}<p>{_text(cause['whatToDo'])}</p>{_example(cause)}"


def _example(cause: Mapping[str, Any]) -> str:
    example = escape(json.dumps(cause["example"], indent=2, ensure_ascii=False))
    return f"<details><summary>Example</summary><pre><code>{example}</code></pre></details>"


def _link(name: str) -> str:
    return f'<a href="/problems/{slug(name)}"><code>{escape(name)}</code></a>'


def _text(sentence: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(sentence))


def _table(rows: Iterable[Iterable[str]]) -> str:
    return "<table>" + "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows) + "</table>"


def _document(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} · SVC problems</title><style>{STYLE}</style></head>"
        '<body><nav><a href="/problems">All problems</a> · <a href="/docs">API reference</a></nav>'
        f"{body}</body></html>\n"
    )
