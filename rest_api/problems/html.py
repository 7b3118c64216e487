"""How the pages look: one file each, with nothing to load and nothing to run."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import partial
from html import escape
from typing import Any

from core.foundation.language import Language, translated
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
HOW_TO_READ = (
    "Every refusal is an `application/problem+json` document (RFC 9457). Decide by `status` and "
    "`code`, and where it "
    "matters by the refinement in `meta`; `title` and `detail` are for people, in the language "
    "of `Accept-Language`."
)
POLICY = (
    f"default-src 'none'; style-src "
    f"'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def index_page(content: Mapping[str, Any], language: Language) -> str:
    """All codes, then all refinements."""
    codes = (
        (_link(item["code"]), str(item["status"]), _text(item["meaning"]))
        for item in content["items"]
    )
    finer = (
        (
            _link(item["refinement"]),
            f"<code>{item['field']}</code> {item['code']}",
            _text(item["meaning"]),
        )
        for item in content["refinements"]
    )
    say = partial(_said, language=language)
    return _document(
        say("Problems"),
        f"<h1>{say('Problems')}</h1><p>{say(HOW_TO_READ)}</p>"
        f"<h2>{say('Codes')}</h2>{_table(codes)}<h2>{say('Refinements')}</h2>{_table(finer)}",
        language,
    )


def kind_page(content: Mapping[str, Any], language: Language) -> str:
    """One code, its causes, and an example of each."""
    say = partial(_said, language=language)
    parts = [
        f"<h1>{content['code']}</h1><p class=small>HTTP {content['status']} {content['title']}</p>",
        (
            f"<p>{_text(content['meaning'])}</p><p><b>{say('What to do:')}</b> "
            f"{_text(content['whatToDo'])}</p>"
        ),
        f"<h2>{say('Typical causes')}</h2>",
        *(_documented(cause, language) for cause in content["causes"]),
    ]
    if fields := content.get("fieldCodes"):
        rows = (
            (f"<code>{escape(code)}</code>", _text(meaning)) for code, meaning in fields.items()
        )
        parts.append(f"<h2>{say('Codes of wrong fields (`errors[].code`)')}</h2>{_table(rows)}")
    return _document(content["code"], "".join(parts), language)


def refinement_page(content: Mapping[str, Any], language: Language) -> str:
    """One refinement, wherever it is used."""
    to_do = _said("What to do:", language)
    causes = "".join(
        f"<p class=small><code>{cause['field']}</code>, HTTP {cause['status']} "
        f"{_link(cause['code'])}</p>"
        f"<p>{_text(cause['meaning'])}</p><p><b>{to_do}</b> "
        f"{_text(cause['whatToDo'])}</p>{_example(cause, language)}"
        for cause in content["causes"]
    )
    return _document(
        content["refinement"], f"<h1>{escape(content['refinement'])}</h1>{causes}", language
    )


def _documented(cause: Mapping[str, Any], language: Language) -> str:
    name = cause.get("refinement")
    finer = f"<p class=small><code>{cause['field']}</code>: {_link(name)}</p>" if name else ""
    told = f"<h3>{_text(cause['meaning'])}</h3>{finer}<p>{_text(cause['whatToDo'])}</p>"
    return told + _example(cause, language)


def _said(sentence: str, language: Language) -> str:
    """A sentence of the page itself."""
    return _text(translated(sentence, language))


def _example(cause: Mapping[str, Any], language: Language) -> str:
    example = escape(json.dumps(cause["example"], indent=2, ensure_ascii=False))
    return f"<details><summary>{_said('Example', language)}</summary><pre><code>{example}</code></pre></details>"


def _link(name: str) -> str:
    return f'<a href="/problems/{slug(name)}"><code>{escape(name)}</code></a>'


def _text(sentence: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(sentence))


def _table(rows: Iterable[Iterable[str]]) -> str:
    return (
        "<table>"
        + "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        + "</table>"
    )


def _document(title: str, body: str, language: Language) -> str:
    say = partial(_said, language=language)
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} · SVC</title><style>{STYLE}</style></head>"
        f'<body><nav><a href="/problems">{say("All problems")}</a> · <a '
        f'href="/docs">{say("API reference")}</a></nav>'
        f"{body}</body></html>\n"
    )
