"""Every sentence of the source that a caller may read: what a translation has to cover.

No way of raising is followed. Whatever looks like a sentence counts, unless it stands where only we
read it (a log, a description for the documents, an error of Python) or in a file whose sentences
are no words to a caller.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("core", "graphql_api", "rest_api", "smpp_api")

NO_REFUSALS = {
    "core/people/email_texts.py": "e-mails in both languages",
    "core/email/senders/code_email.py": "an e-mail in both languages",
    "core/contacts/fields.py": "labels of fields, which are data",
    "core/conversations/queue/pre_send_checks.py": "stored as the message's lastError",
    "core/messaging/queue/on_opt_out.py": "stored as the message's lastError",
    "core/conversations/queue/hand_over.py": "stored as the message's lastError",
    "core/conversations/inbound/fetch_media.py": "stored with the file",
    "core/conversations/queue/settle.py": "stored as the message's lastError",
    "core/read_models/query_compiler/record_factory.py": "source text of functions that are made",
    "core/foundation/database/db.py": "for operators",
    "core/cells/move/errors.py": "for operators",
    "core/cells/move/left_over.py": "for operators",
    "core/foundation/channels.py": "descriptions of the documents",
    "core/foundation/language/": "the translations themselves",
    "core/foundation/validation/phones.py": "raised to ourselves; the field's own sentence is told",
    "core/foundation/security/secrets.py": "for operators",
    "core/foundation/settings/": "for operators",
    "core/messaging/delivery_reports/apply.py": "the description of a metric",
    "core/media/store_inbound.py": "stored with the file",
    "core/media/use.py": "stored as the message's lastError",
    "core/migrations/": "written by a tool",
    "core/numbers/health.py": "data of the number's health",
    "core/numbers/sender_accounts.py": "stored as the message's lastError",
    "core/operations/": "for operators",
    "core/partitions/": "for operators",
    "core/providers/amazon/examine.py": "for operators",
    "core/providers/amazon/eum_answers.py": "for operators",
    "core/providers/amazon/template.py": "for operators",
    "core/sms/amazon/opt_out.py": "stored with the denial",
    "core/providers/registry.py": "for operators",
    "core/providers/meta/send_replies.py": "stored as the message's lastError",
    "core/providers/meta/errors.py": "stored as the message's lastError",
    "core/providers/meta/template_examples.py": "stored with the template",
    "core/providers/meta/files.py": "stored as the message's lastError",
    "core/providers/meta/flows.py": "stored with the flow",
    "core/providers/meta/graph.py": "stored as the message's lastError",
    "core/providers/meta/health.py": "data of the number's health",
    "core/providers/meta/templates.py": "stored with the template",
    "core/providers/sandbox/": "stored with the message",
    "core/messaging/reconcile.py": "stored with the message",
    "core/templates/review.py": "stored with the template",
    "core/webhooks/events/samples.py": "invented data",
    "core/webhooks/signing/verify.py": "data of a report on a signature",
    "graphql_api/executor/": "source text of functions that are made",
    "graphql_api/scalars.py": "descriptions of the schema",
    "graphql_api/statistics/schema.py": "descriptions of the schema",
    "graphql_api/subscriptions/schema.py": "descriptions of the schema",
    "rest_api/openapi/": "descriptions of the reference",
    "smpp_api/link/": "for operators, and words of receipts",
    "smpp_api/main.py": "for operators",
    "smpp_api/wire/": "for those who read traces: the protocol has English alone",
    "rest_api/support/asgi_middleware.py": "for operators",
    "rest_api/support/keys.py": "for those who write operations",
}
"""Files and folders without a sentence for callers, and what their sentences are."""

DOCUMENTS = frozenset({"record.py", "examples.py", "shapes.py", "payload_shapes.py"})
FOR_US = frozenset(
    {
        "compile",
        "Counter",
        "Doc",
        "Gauge",
        "Histogram",
        "ValueError",
        "RuntimeError",
        "TypeError",
        "AssertionError",
        "Closing",
        "Operation",
        "tell_outage",
    }
)
"""What is called with a sentence that only we read, or that has to be English for programs."""
DESCRIBES = frozenset(
    {"description", "x-told", "summary", "help", "deprecation_reason", "json_schema_extra"}
)
SAYS = {"FieldError": 3, "PydanticCustomError": 1}
"""At which place of a call a sentence stands, whatever it looks like."""

TABLES = frozenset(
    {"core/foundation/validation/field_messages.py", "core/foundation/validation/json_syntax.py"}
)
"""Files whose texts with a space in them are sentences or parts of one, with `{name}` for what is
filled in.
"""

SHAPE = re.compile(r"[A-Z0-9`±][^\n]* [a-z]{2,}")
SQL = re.compile(r"[A-Z]{3,}\b")
PLACE = re.compile(r"\{\w+\}")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as the catalogue spells it, and where it is written."""

    text: str
    place: str


@cache
def sentences() -> tuple[Sentence, ...]:
    """All of them, in the order of files and lines."""
    described = defaultdict(set)
    for path, tree in modules():
        for home, name in _described_in(path, tree):
            described[home].add(name)
    return tuple(
        one
        for path, tree in modules()
        if _may_refuse(path)
        for one in _of_module(path, tree, described[path])
    )


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """The files of the packages and their trees, read once."""
    files = (file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py")))
    return tuple(
        (file.relative_to(ROOT).as_posix(), ast.parse(file.read_text(encoding="utf-8")))
        for file in files
        if "pt_br" not in file.parts
    )


def _may_refuse(path: str) -> bool:
    return path.rpartition("/")[2] not in DOCUMENTS and not path.startswith(tuple(NO_REFUSALS))


def _described_in(path: str, tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names of constants that describe something, each with the file that it is written in."""
    homes = {
        alias.name: f"{node.module.replace('.', '/')}.py"
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in DESCRIBES:
            names = {name.id for name in ast.walk(node.value) if isinstance(name, ast.Name)}
            yield from ((homes.get(name, path), name) for name in names)


def _of_module(path: str, tree: ast.Module, described: set[str]) -> Iterator[Sentence]:
    for node, sure in _texts(tree, described):
        if path in TABLES and isinstance(node, ast.Constant):
            if " " in str(node.value).strip():
                yield Sentence(str(node.value), f"{path}:{node.lineno}")
            continue
        text = template_of(node)
        if text is not None and _is_sentence(text, sure=sure):
            yield Sentence(text, f"{path}:{node.lineno}")


def template_of(node: ast.expr) -> str | None:
    """A literal as the catalogue spells it: what an f-string fills in is `{name}`, other braces are
    doubled.
    """
    match node:
        case ast.Constant(value=str(text)):
            return _doubled(text)
        case ast.JoinedStr(values=values):
            return "".join(_part(value) for value in values)
    return None


def _part(value: ast.expr) -> str:
    if isinstance(value, ast.FormattedValue):
        return "{" + str(re.findall(r"[A-Za-z_]\w*", ast.unparse(value.value))[-1]) + "}"
    assert isinstance(value, ast.Constant)
    return _doubled(str(value.value))


def _doubled(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _is_sentence(text: str, *, sure: bool) -> bool:
    said = PLACE.sub("", text)
    return (
        bool(re.search(r"[A-Za-z]{2}", said))
        if sure
        else bool(SHAPE.match(text)) and not SQL.match(text)
    )


def _texts(node: ast.AST, described: set[str]) -> Iterator[tuple[ast.expr, bool]]:
    """The literals in a node where a sentence may stand, and whether one does for sure."""
    match node:
        case ast.Constant() | ast.JoinedStr():
            yield node, False
        case ast.Dict():
            for key, value in zip(node.keys, node.values, strict=True):
                if not (isinstance(key, ast.Constant) and key.value in DESCRIBES):
                    yield from _texts(value, described)
        case ast.Call():
            yield from _of_call(node, described)
        case _ if not _only_for_us(node, described):
            for child in ast.iter_child_nodes(node):
                yield from _texts(child, described)


def _of_call(call: ast.Call, described: set[str]) -> Iterator[tuple[ast.expr, bool]]:
    name = ast.unparse(call.func)
    if name.startswith("log.") or (name := name.rpartition(".")[2]) in FOR_US:
        return
    said = dict(enumerate(call.args)).get(SAYS.get(name, -1))
    if isinstance(said, ast.Constant | ast.JoinedStr):
        yield _own_places(call) if name == "PydanticCustomError" else said, True
    for argument in [call.func, *call.args, *call.keywords]:
        if argument is not said or not isinstance(said, ast.Constant | ast.JoinedStr):
            yield from _texts(argument, described)


def _own_places(call: ast.Call) -> ast.expr:
    """The sentence of a PydanticCustomError: with a context, its `{name}`s are places."""
    said = call.args[1]
    if len(call.args) < 3 or not isinstance(said, ast.Constant):
        return said
    return ast.parse(f"f{said.value!r}", mode="eval").body


def _only_for_us(node: ast.AST, described: set[str]) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()):
            return True  # a docstring
        case ast.ClassDef(bases=[ast.Name(id="DescribedEnum" | "ChannelSet")]):
            return True
        case ast.keyword(arg=name):
            return name in DESCRIBES
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in described
    return isinstance(node, ast.Assert)


@cache
def literals() -> frozenset[str]:
    """Every text of the source without a full stop, whatever it is: nouns that fill sentences are
    among them.
    """
    return frozenset(
        node.value.removesuffix(".")
        for _, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
