"""Who reads and writes which table: found in the SQL texts and the model classes of the code.

SQL stands in string constants and f-strings, most of them fragments, so it is not parsed but read token by token: a
table is a known name where SQL expects one (behind FROM, JOIN, INTO, UPDATE, USING, and behind the commas of such a
list). SQL keywords are written in capitals everywhere, which tells them from English. A fragment counts for the
package that writes it down: who shows others a question about its tables stays the one who reads them.
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENTRY_POINTS = ("graphql_api", "rest_api", "smpp_api", "workers", "cli")


WRITING = {
    "create",
    "bulk_create",
    "bulk_update",
    "update_or_create",
    "get_or_create",
    "update",
    "delete",
    "save",
}
READING = {
    "all", "annotate", "count", "exclude", "exists", "filter", "first", "get", "get_or_none", "in_bulk", "order_by",
    "own", "own_or_none", "select_for_update", "values", "values_list", "visible_to",
}  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class Use:
    """`package` reads or writes `table`, at `place`."""

    package: str
    table: str
    writes: bool
    place: str = field(compare=False)


@dataclass(frozen=True, slots=True, order=True)
class Hole:
    """A place in SQL that expects a table and is filled in by the program: the expression in it."""

    file: str
    expression: str
    writes: bool


@dataclass(frozen=True, slots=True)
class Taker:
    """A function or class whose callers name a table: in which parameter, and whether it is written."""

    parameter: str
    writes: bool = False


@dataclass(frozen=True, slots=True)
class Module:
    """A file of the code. `package`: the domain in core, or the entry point (`cli.seed` apart).
    `texts`: the names that it gives to strings, or imports; what they hold is read where it stands.
    """

    file: str
    package: str
    tree: ast.Module
    nodes: tuple[ast.AST, ...]
    texts: frozenset[str]

    @classmethod
    def read(cls, file: str, text: str) -> "Module":
        parts = Path(file).with_suffix("").parts
        tree = ast.parse(text)
        package = ".".join(parts[:2]) if parts[0] in ("core", "cli") else parts[0]
        return cls(file, package, tree, tuple(ast.walk(tree)), _names_of_texts(tree))


@cache
def modules(takers: frozenset[str]) -> tuple[Module, ...]:
    """The code that may touch a table, without the migrations, which make them."""
    queries = "|".join(WRITING | READING)
    touches = re.compile(
        r"\b(FROM|JOIN|INTO|UPDATE|USING|TABLE|TRUNCATE)\b|\bclass Meta\b|[.](save|delete)\("
        rf"|[A-Z]\w+[.]({queries})\(|\b({'|'.join(takers)})\("
    )
    return tuple(
        Module.read(str(path.relative_to(ROOT)), text)
        for top in ("core", *ENTRY_POINTS)
        for path in sorted((ROOT / top).rglob("*.py"))
        if "migrations" not in path.parts and touches.search(text := path.read_text())
    )


def _names_of_texts(tree: ast.Module) -> frozenset[str]:
    found = set()
    for node in tree.body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Constant(value=str()) | ast.JoinedStr()
            ):
                found.add(name)
            case ast.ImportFrom():
                found |= {
                    alias.asname or alias.name for alias in node.names if alias.name.isupper()
                }
    return frozenset(found)


# --- Who owns what ---


def models_in(these: Iterable[Module]) -> dict[str, tuple[str, str]]:
    """For each model class the table that it declares, and the package that owns it."""
    return {
        node.name: (table, module.package)
        for module, node in _classes_in(these)
        if (table := _declared_table(node))
    }


def sql_tables_in(these: Iterable[Module]) -> dict[str, str]:
    """The models that declare a table for SQL alone, each with its docstring."""
    return {
        node.name: ast.get_docstring(node) or ""
        for _, node in _classes_in(these)
        if any(isinstance(base, ast.Name) and base.id == "SqlTable" for base in node.bases)
    }


def _classes_in(these: Iterable[Module]) -> Iterator[tuple[Module, ast.ClassDef]]:
    for module in these:
        if module.file.endswith("models.py"):
            for node in module.tree.body:
                if isinstance(node, ast.ClassDef):
                    yield module, node


def _declared_table(model: ast.ClassDef) -> str | None:
    for inner in model.body:
        if isinstance(inner, ast.ClassDef) and inner.name == "Meta":
            for line in inner.body:
                match line:
                    case ast.Assign(
                        targets=[ast.Name(id="table")], value=ast.Constant(value=str(table))
                    ):
                        return table
    return None


def layers() -> dict[str, int]:
    """How high each package of core stands, by the import contract: 0 is the highest."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
        "contracts"
    ]
    (order,) = [contract["layers"] for contract in contracts if contract["id"] == "core-layers"]
    return {
        f"core.{name.strip().strip('()')}": height
        for height, layer in enumerate(order)
        for name in layer.split("|")
    }


def is_downward(reader: str, owner: str, heights: Mapping[str, int]) -> bool:
    """Whether a package may see the tables of another: entry points all, packages of core those below."""
    return reader not in heights or heights[reader] < heights[owner]


# --- SQL ---

HOLE = "\x01"

TOKEN = re.compile(
    r"""--[^\n]* | /\*.*?\*/ | '(?:[^']|'')*'
    | \x01(?P<hole>\d+)\x01 | \{(?P<slot>[^{}]*)\} | "?(?P<word>[A-Za-z_]\w*)"? | (?P<sign>[.,();])""",
    re.VERBOSE | re.DOTALL,
)
EXPECT_ONE = {"JOIN", "INTO", "UPDATE", "TABLE", "TRUNCATE", "COPY"}
EXPECT_A_LIST = {"FROM", "USING"}
PASSED_OVER = {"ONLY", "LATERAL", "IF", "EXISTS", "NOT", "TABLE"}
END_A_LIST = {
    "WHERE", "SELECT", "SET", "GROUP", "ORDER", "LIMIT", "OFFSET", "RETURNING", "UNION", "EXCEPT", "INTERSECT",
    "VALUES", "HAVING", "WINDOW", "FOR",
}  # fmt: skip
NO_TARGET_BEFORE_UPDATE = {"FOR", "KEY", "DO", "ON"}


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Named:
    """What stands where SQL expects a table: a name, or the number or name of a hole."""

    token: Token
    writes: bool


def tables_in(sql: str) -> Iterator[Named]:
    """What stands in a text where SQL expects tables, in their order; names of the text's own WITH left out."""
    tokens = [
        Token(str(found.lastgroup), found[str(found.lastgroup)])
        for found in TOKEN.finditer(sql)
        if found.lastgroup
    ]
    own = _defined_here(tokens)
    for place, writes in _places(tokens):
        token = tokens[place]
        behind = tokens[place + 1].text if place + 1 < len(tokens) else ""
        is_other = token.text in own or behind == "." or (behind == "(" and not writes)
        if token.kind in ("hole", "slot") or not is_other:
            yield Named(token, writes)


def _places(tokens: list[Token]) -> Iterator[tuple[int, bool]]:
    """Where tables are expected, and whether they are written there."""
    lists, expected, writes, before = [False], _begins_with_a_table(tokens), False, ""
    for place, token in enumerate(tokens):
        word = token.text if token.kind == "word" else ""
        if token.text == "(" and token.kind == "sign":
            lists.append(False)
            expected = False
        elif token.text == ")" and token.kind == "sign":
            lists = lists[:-1] or [False]
            expected = False
        elif token.text == "," and token.kind == "sign":
            expected, writes = lists[-1], False
        elif word in EXPECT_A_LIST or (word in EXPECT_ONE and not _is_no_target(word, before)):
            expected, writes = True, word not in EXPECT_A_LIST | {"JOIN"} or before == "DELETE"
            lists[-1] = lists[-1] or word in EXPECT_A_LIST
        elif word in END_A_LIST:
            lists[-1] = expected = False
        elif expected and word not in PASSED_OVER:
            yield place, writes
            expected = False
        before = word or before


def _is_no_target(word: str, before: str) -> bool:
    return word == "UPDATE" and before in NO_TARGET_BEFORE_UPDATE


def _begins_with_a_table(tokens: list[Token]) -> bool:
    """Whether a fragment is a list of tables itself: `contacts c JOIN …`."""
    return any(token.text == "JOIN" for token in tokens[1:4])


def _defined_here(tokens: list[Token]) -> set[str]:
    """Names of a WITH: `name AS (` and `name (columns) AS MATERIALIZED (`."""
    own = set()
    for place, token in enumerate(tokens):
        words = [one.text for one in tokens[place : place + 4]]
        if (
            token.text == "AS"
            and "(" in words[1:]
            and set(words[1 : words.index("(")]) <= {"NOT", "MATERIALIZED"}
        ):
            name = place - 1
            if tokens[name].text == ")":
                while name > 0 and tokens[name].text != "(":
                    name -= 1
                name -= 1
            own.add(tokens[name].text)
    return own


# --- Texts of a module ---


@dataclass(frozen=True, slots=True)
class Text:
    """A string of a module, with its holes."""

    line: int
    sql: str
    holes: tuple[ast.expr, ...] = ()

    def expression(self, hole: Token) -> str:
        """What is filled in there: Python in an f-string, a name in what `format` takes."""
        if hole.kind == "hole":
            return ast.unparse(self.holes[int(hole.text)])
        return f"{{{hole.text}}}"


def texts_of(tree: ast.AST) -> Iterator[Text]:
    """Every string and f-string, docstrings left out."""
    match tree:
        case ast.Expr(value=ast.Constant(value=str())):
            return
        case ast.Constant(value=str(text)):
            yield Text(tree.lineno, text)
        case ast.JoinedStr():
            yield _filled(tree)
            for part in tree.values:
                if isinstance(part, ast.FormattedValue):
                    yield from texts_of(part.value)
        case _:
            for child in ast.iter_child_nodes(tree):
                yield from texts_of(child)


def _filled(node: ast.JoinedStr) -> Text:
    sql = ""
    holes: list[ast.expr] = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            sql += f"{HOLE}{len(holes)}{HOLE}"
            holes.append(part.value)
        elif isinstance(part, ast.Constant):
            sql += str(part.value)
    return Text(node.lineno, sql, tuple(holes))


# --- All of it ---


@dataclass(slots=True)
class Found:
    """Every use of a table, and the holes that nobody has said to be filled by which tables."""

    uses: list[Use] = field(default_factory=list)
    holes: set[Hole] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Finder:
    """`owners`: the known tables. `filled`: for a file and an expression, the tables it stands for."""

    owners: Mapping[str, str]
    takers: Mapping[str, Taker]
    filled: Mapping[tuple[str, str], Iterable[str]]

    def find(self, these: Sequence[Module]) -> Found:
        """Every use of a table in SQL, by models and through takers."""
        found, positions, models = Found(), self._positions(these), models_in(these)
        for module in these:
            for text in texts_of(module.tree):
                self._look_at_text(module, text, found)
            for node in module.nodes:
                if isinstance(node, ast.Call):
                    self._look_at_call(module, node, positions, found)
            found.uses += _uses_of_models(module, models)
        return found

    def _look_at_text(self, module: Module, text: Text, found: Found) -> None:
        for named in tables_in(text.sql):
            place = f"{module.file}:{text.line}"
            if named.token.kind == "word":
                if named.token.text in self.owners:
                    found.uses.append(Use(module.package, named.token.text, named.writes, place))
            elif (expression := text.expression(named.token)) not in module.texts:
                self._fill(module, expression, named.writes, place, found)

    def _look_at_call(
        self, module: Module, call: ast.Call, positions: Mapping[str, int], found: Found
    ) -> None:
        name = (
            call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        )
        if name not in positions:
            return
        taker, place = self.takers[name], f"{module.file}:{call.lineno}"
        given = next((one.value for one in call.keywords if one.arg == taker.parameter), None)
        if given is None and len(call.args) > positions[name]:
            given = call.args[positions[name]]
        match given:
            case None | ast.Constant(value=None):
                pass
            case ast.Constant(value=str(table)) if table in self.owners:
                found.uses.append(Use(module.package, table, taker.writes, place))
            case ast.Constant(value=str(query)) if "SELECT" in query:
                pass  # read as every text is
            case _:
                self._fill(module, ast.unparse(given), taker.writes, place, found)

    def _fill(
        self, module: Module, expression: str, writes: bool, place: str, found: Found
    ) -> None:
        if (tables := self.filled.get((module.file, expression))) is None:
            found.holes.add(Hole(module.file, expression, writes))
        else:
            found.uses += [Use(module.package, table, writes, place) for table in tables]

    def _positions(self, these: Iterable[Module]) -> dict[str, int]:
        """Where in a call of each taker the table stands."""
        found = {}
        for module in these:
            for node in module.nodes:
                if (
                    isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
                    and (taker := self.takers.get(node.name)) is not None
                    and taker.parameter in (names := _parameters(node))
                ):
                    found[node.name] = names.index(taker.parameter)
        return found


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[str]:
    """The parameters of a function or of a class, whether it has an `__init__` or annotated fields."""
    if not isinstance(node, ast.ClassDef):
        return [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    for inner in node.body:
        if isinstance(inner, ast.FunctionDef) and inner.name == "__init__":
            return _parameters(inner)[1:]
    return [
        line.target.id
        for line in node.body
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
    ]


# --- Models ---


def queried_models(these: Iterable[Module]) -> set[str]:
    """The models that the package of their table queries, or makes rows of."""
    these = tuple(these)
    models = models_in(these)
    return {
        model
        for module in these
        for model in imported_models(module, models).values()
        if models[model][1] == module.package
        and any(use.table == models[model][0] for use in _uses_of_models(module, models))
    }


def _uses_of_models(module: Module, models: Mapping[str, tuple[str, str]]) -> Iterator[Use]:
    """Queries that begin at a model class, and what is done with the rows they found."""
    imported = imported_models(module, models)
    if not imported:
        return
    rows = {name: model for name, said in _named(module) for model in _models_in(said, imported)}
    for (start, *steps), line in _chains(module):
        model = imported.get(start) or rows.get(start)
        if model and (queried := WRITING.union(READING).intersection(steps)):
            table, _ = models[model]
            yield Use(module.package, table, bool(WRITING & queried), f"{module.file}:{line}")
    for node in module.nodes:
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in imported:
                table, _ = models[imported[name]]
                yield Use(module.package, table, True, f"{module.file}:{node.lineno}")


def imported_models(module: Module, models: Iterable[str]) -> dict[str, str]:
    """The models that a module imports from core, by the names they have there."""
    known = set(models)
    return {
        alias.asname or alias.name: alias.name
        for node in module.nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("core.")
        for alias in node.names
        if alias.name in known
    }


def _named(module: Module) -> Iterator[tuple[str, ast.expr]]:
    """Each name, with the expression that it is given, or that says its type."""
    for node in module.nodes:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=said)
                | ast.NamedExpr(target=ast.Name(id=name), value=said)
                | ast.AnnAssign(target=ast.Name(id=name), annotation=said)
                | ast.arg(arg=name, annotation=ast.expr() as said)
            ):
                yield name, said


def _models_in(said: ast.expr, imported: Mapping[str, str]) -> list[str]:
    found = {node.id for node in ast.walk(said) if isinstance(node, ast.Name)}
    return [model for name, model in imported.items() if name in found]


def _chains(module: Module) -> Iterator[tuple[list[str], int]]:
    """Each `start.step(…).step(…)` as its names; the longest of those that begin at one place."""
    inner: set[int] = set()
    for node in module.nodes:
        if not isinstance(node, ast.Attribute) or id(node) in inner:
            continue
        steps: list[str] = []
        at: ast.AST = node
        while isinstance(at, ast.Attribute | ast.Call):
            if isinstance(at, ast.Attribute):
                inner.add(id(at))
                steps.append(at.attr)
                at = at.value
            else:
                at = at.func
        if isinstance(at, ast.Name):
            yield [at.id, *reversed(steps)], node.lineno
