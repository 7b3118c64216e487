"""Whether a statement names the organization of each table that it uses: read from the SQL texts of the code.

A text is cut into its queries: what stands in parentheses with a SELECT, INSERT, UPDATE or DELETE of its own is one.
The organization of a table is named where its column is compared (`=`, IN, USING, a row of columns) with a value, with a
column of something that is no table (a WITH, a set, what stands around a fragment) or with that of a table whose organization
is named; where an INSERT fills it; and where its key is taken from a query of the same table: these are the same rows.
Of tables that are compared with each other alone, the first is told.

A comparison counts where it has to hold for each row: in a condition, neither beside an OR nor behind a NOT. That of an outer
join narrows what it adds, and nothing else. An INSERT that changes a row where there is one already names the organization in
its target, or in a condition.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.house.table_uses import HOLE, Module, Text, imported_models, texts_of

TOKEN = re.compile(
    r"""--[^\n]* | /\*.*?\*/ | (?P<value>'(?:[^']|'')*' | \$\d+ | \b\d[\w.]*)
    | \x01(?P<hole>\d+)\x01 | \{(?P<slot>[^{}]*)\} | "?(?P<word>[A-Za-z_]\w*)"?
    | (?P<sign>::|<>|!=|<=|>=|[^\s\w])""",
    re.VERBOSE | re.DOTALL,
)
OPENS_A_QUERY = {"SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "VALUES", "FROM"}
JOINS_QUERIES = {"UNION", "EXCEPT", "INTERSECT"}
EXPECT_A_TABLE = {"FROM", "JOIN", "INTO", "UPDATE", "USING", "TRUNCATE"}
END_A_LIST = {
    "WHERE", "SELECT", "SET", "GROUP", "ORDER", "LIMIT", "OFFSET", "RETURNING", "VALUES", "HAVING", "WINDOW", "FOR",
}  # fmt: skip
NO_ALIAS = END_A_LIST | JOINS_QUERIES | {
    "ON", "JOIN", "LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL", "USING", "DEFAULT", "TABLESAMPLE", "WITH",
    "OVERRIDING", "AND", "OR", "FETCH", "INSERT", "UPDATE", "DELETE", "FROM", "TO",
}  # fmt: skip
PASSED_OVER = {"ONLY", "LATERAL", "TABLE"}
ROW_KEYS = {"id", "message_id", "ctid", "key", "code"}
"""Columns by which a table's rows are picked one by one."""
UP_TO_A_QUERY = {"ANY", "ARRAY", "(", "="}
NOBODY = -1
CONDITIONS = {"WHERE", "ON", "USING"}
"""What begins a condition that holds for each row."""
SHOWS = {
    "SELECT", "SET", "RETURNING", "VALUES", "FROM", "JOIN", "GROUP", "ORDER", "LIMIT", "HAVING", "CASE", "FOR", "WINDOW",
    "CONFLICT",
}  # fmt: skip
"""What begins something else, or ends a condition."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of SQL. `kind` "query": the number of the query that stood there in parentheses."""

    kind: str
    text: str


NOTHING = Token("", "")


@dataclass(eq=False, slots=True)
class Source:
    """What a query reads or writes: a table of organizations, or something else with columns.

    `within`: the number of the query that it stands for.
    """

    name: str
    table: str | None
    within: int | None = None
    is_named: bool = False
    is_joined_named: bool = False
    """Only its own rows: those that an outer join adds."""
    compared_with: "Source | None" = None

    def first(self) -> "Source":
        """The one that stands for all that are compared with each other."""
        at = self
        while at.compared_with is not None:
            at = at.compared_with
        return at

    def belong_together(self, other: "Source") -> None:
        """Both are of the same organization."""
        mine, others = self.first(), other.first()
        if mine is not others:
            others.compared_with = mine
            mine.is_named = mine.is_named or others.is_named


@dataclass(eq=False, slots=True)
class Query:
    """One query of a text, with its sources and its own tokens. `number`: that of all branches of a UNION."""

    number: int
    outer: "Query | None" = None
    tokens: list[Token] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)

    def at(self, place: int) -> Token:
        return self.tokens[place] if 0 <= place < len(self.tokens) else NOTHING

    def text(self, place: int) -> str:
        return self.at(place).text

    def find(self, name: str) -> Source | None:
        """What a column's prefix stands for, here or around."""
        for source in reversed(self.sources):
            if source.name == name:
                return source
        return self.outer.find(name) if self.outer else None

    def other_end(self, place: int) -> int:
        """Where the parenthesis closes that opens there, or opens that closes there."""
        step, depth = (1, 0) if self.text(place) == "(" else (-1, 0)
        while 0 <= place < len(self.tokens):
            depth += {"(": 1, ")": -1}.get(self.text(place), 0) * (self.at(place).kind == "sign")
            if depth == 0:
                return place
            place += step
        return place

    def fields_of(self, opening: int) -> Iterator[int]:
        """Where the elements of a row in parentheses begin."""
        closing, place = self.other_end(opening), opening + 1
        yield place
        while place < closing:
            if self.text(place) == "(":
                place = self.other_end(place)
            elif self.text(place) == ",":
                yield place + 1
            place += 1


@dataclass(slots=True)
class Statement:
    """The queries of a text. `keys`: for each table of organizations its column with the organization."""

    keys: Mapping[str, str]
    queries: list[Query] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    """Of a WITH, and the numbers of their queries."""

    @classmethod
    def read(cls, sql: str, keys: Mapping[str, str]) -> "Statement":
        tokens = [
            Token(str(found.lastgroup), found[str(found.lastgroup)])
            for found in TOKEN.finditer(sql)
            if found.lastgroup
        ]
        statement = cls(keys)
        statement._cut(tokens, 0, statement._open(None))
        for query in statement.queries:
            _Sources(statement, query).read()
        for query in statement.queries:
            _Comparisons(statement, query).read()
        return statement

    def unnamed(self) -> Iterator[tuple[str, list[Token]]]:
        """Tables whose organization is not named, each with the holes of its query."""
        told: set[int] = set()
        for query in self.queries:
            for source in query.sources:
                first = source.first()
                is_named = first.is_named or source.is_joined_named
                if source.table and not is_named and id(first) not in told:
                    told.add(id(first))
                    yield (
                        source.table,
                        [one for one in query.tokens if one.kind in ("hole", "slot")],
                    )

    def uses(self) -> int:
        return sum(source.table is not None for query in self.queries for source in query.sources)

    def reads(
        self, number: int | None, table: str | None, seen: frozenset[int] = frozenset()
    ) -> bool:
        """Whether a query, or one that it reads from, has this table."""
        if number is None or number in seen:
            return False
        return any(
            source.table == table or self.reads(source.within, table, seen | {number})
            for query in self.queries
            if query.number == number
            for source in query.sources
        )

    # --- Cut into queries ---

    def _open(self, outer: Query | None, number: int | None = None) -> Query:
        query = Query(len(self.queries) if number is None else number, outer)
        self.queries.append(query)
        return query

    def _cut(self, tokens: Sequence[Token], place: int, query: Query) -> int:
        """Read tokens until the parenthesis of the query closes; answers the place behind it."""
        depth = 0
        while place < len(tokens):
            token = tokens[place]
            if token.text == "(" and _holds_a_query(tokens, place):
                inner = self._open(query)
                if name := _name_of_with(tokens, place):
                    self.names[name] = inner.number
                query.tokens.append(Token("query", str(inner.number)))
                place = self._cut(tokens, place + 1, inner)
                continue
            if token.text == ")" and depth == 0 and query.outer is not None:
                return place + 1
            if depth == 0 and token.text in JOINS_QUERIES | {";"}:
                query = self._open(query.outer, query.number)
            else:
                depth += {"(": 1, ")": -1}.get(token.text, 0) * (token.kind == "sign")
                query.tokens.append(token)
            place += 1
        return place


def _holds_a_query(tokens: Sequence[Token], opening: int) -> bool:
    """Whether what stands in these parentheses is a query, or one behind a hole."""
    if opening + 1 < len(tokens) and tokens[opening + 1].text in OPENS_A_QUERY:
        return True
    depth = 0
    for token in tokens[opening:]:
        depth += {"(": 1, ")": -1}.get(token.text, 0) * (token.kind == "sign")
        if depth == 0:
            return False
        if depth == 1 and token.text == "SELECT":
            return True
    return False


def _name_of_with(tokens: Sequence[Token], opening: int) -> str | None:
    """The name of `name AS (`, `name (columns) AS MATERIALIZED (`."""
    place = opening - 1
    while place >= 0 and tokens[place].text in ("MATERIALIZED", "NOT"):
        place -= 1
    if place < 1 or tokens[place].text != "AS":
        return None
    place -= 1
    if tokens[place].text == ")":
        while place > 0 and tokens[place].text != "(":
            place -= 1
        place -= 1
    return tokens[place].text


@dataclass(slots=True)
class _Sources:
    """Notes what a query reads and writes."""

    statement: Statement
    query: Query

    def read(self) -> None:
        query, lists, expected, before, place = self.query, [False], "", "", 0
        if any(query.text(at) == "JOIN" for at in range(1, 4)):
            expected = "FROM"
        while place < len(query.tokens):
            token = query.at(place)
            word = token.text if token.kind == "word" else ""
            if token.kind == "sign" and token.text in "(),":
                expected = self._at_sign(token.text, lists, expected, before)
            elif word in EXPECT_A_TABLE and not _is_no_target(word, before):
                expected, lists[-1] = word, lists[-1] or word in ("FROM", "USING")
            elif word in END_A_LIST:
                expected, lists[-1] = "", False
            elif expected and word not in PASSED_OVER:
                place, expected = self._take(place, expected), ""
            before = word or before
            place += 1

    @staticmethod
    def _at_sign(sign: str, lists: list[bool], expected: str, before: str) -> str:
        """What is expected behind a parenthesis or comma."""
        if sign == "(":
            lists.append(bool(expected) and before in ("FROM", "JOIN", "LATERAL"))
            return expected if lists[-1] else ""
        if sign == ")":
            lists[:] = lists[:-1] or [False]
            return ""
        return "FROM" if lists[-1] else ""

    def _take(self, place: int, expected: str) -> int:
        """Note what stands there, with its alias; answers the last token that belongs to it."""
        query = self.query
        while query.text(place + 1) == ".":  # a schema
            place += 2
        token, at = query.at(place), place
        is_called = query.text(place + 1) == "(" and expected != "INTO" and token.kind != "query"
        if is_called:
            at = query.other_end(place + 1)
        alias = at + 1
        if query.text(alias) == "WITH":  # ORDINALITY
            alias += 2
        if query.text(alias) == "AS":
            alias += 1
        name = token.text
        if query.at(alias).kind == "word" and query.text(alias) not in NO_ALIAS:
            name, at = query.text(alias), alias
        within = int(token.text) if token.kind == "query" else self.statement.names.get(token.text)
        is_table = token.kind == "word" and within is None and not is_called
        table = token.text if is_table and token.text in self.statement.keys else None
        source = Source(name, table, within)
        query.sources.append(source)
        if table and expected == "INTO" and query.text(at + 1) == "(":
            columns = {query.text(one) for one in query.fields_of(at + 1)}
            key = self.statement.keys[table]
            source.is_named = key in columns and not self._changes_another(key)
        return at

    def _changes_another(self, key: str) -> bool:
        """Whether the row that an INSERT changes where there is one already may be another organization's."""
        words = [token.text for token in self.query.tokens]
        if "CONFLICT" not in words or "NOTHING" in words:
            return False
        behind = words.index("CONFLICT") + 1
        target = {words[one] for one in self.query.fields_of(behind)}
        condition = words[words.index("WHERE", behind) :] if "WHERE" in words[behind:] else []
        return key not in [*target, *condition]


def _is_no_target(word: str, before: str) -> bool:
    return word == "UPDATE" and before in ("FOR", "KEY", "DO", "ON")


@dataclass(slots=True)
class _Comparisons:
    """Finds out of which tables the organization is named."""

    statement: Statement
    query: Query

    def read(self) -> None:
        for place, token in enumerate(self.query.tokens):
            if token.kind == "word" and (source := self._table_of(place)) is not None:
                if token.text == self.statement.keys[source.table or ""]:
                    self._note(source, place)
                elif token.text in ROW_KEYS and self._is_the_same_row(source, place):
                    source.first().is_named = True

    def _note(self, source: Source, place: int) -> None:
        outer = self._outer_join(place)
        for other in self._compared_with(place):
            if outer is not None and outer.within == NOBODY:
                continue
            if other is not None and other.table is not None:
                source.belong_together(other)
                if other.is_joined_named and other not in self.query.sources:
                    source.first().is_named = True
            elif outer is None:
                source.first().is_named = True
            elif outer is source:
                source.is_joined_named = True

    def _outer_join(self, place: int) -> Source | None:
        """What an outer join adds, where a column stands in its condition: of nothing else that says which rows
        there are. Of a right or full one, nothing.
        """
        query, at = self.query, self._condition_of(place)
        if query.text(at) not in ("ON", "USING"):
            return None
        joined = query.find(query.text(at - 1))
        while at > 0 and query.text(at) != "JOIN":
            at = query.other_end(at) - 1 if query.text(at) == ")" else at - 1
        kind = query.text(at - 2 if query.text(at - 1) == "OUTER" else at - 1)
        if kind == "LEFT":
            return joined or Source("", None)
        return Source("", None, NOBODY) if kind in ("RIGHT", "FULL") else None

    def _condition_of(self, place: int) -> int:
        """Where the word stands whose condition something is part of."""
        begins = place
        while begins > 0 and self.query.text(begins) not in CONDITIONS | SHOWS:
            begins = self._level_begins(begins) - 1
        return begins

    def _table_of(self, place: int) -> Source | None:
        """The table of organizations whose column stands there."""
        query = self.query
        if query.text(place) not in ROW_KEYS | set(self.statement.keys.values()):
            return None
        if query.text(place - 1) == ".":
            source = query.find(query.text(place - 2))
            return source if source is not None and source.table else None
        at: Query | None = query
        while at is not None and not at.sources:
            at = at.outer
        tables = [source for source in at.sources if source.table] if at else []
        fitting = [
            one for one in tables if self.statement.keys[one.table or ""] == query.text(place)
        ]
        return next(iter(fitting or tables), None)

    def _start(self, place: int) -> int:
        """Where a column begins: with its prefix."""
        return place - 2 if self.query.text(place - 1) == "." else place

    def _compared_with(self, place: int) -> Iterator[Source | None]:
        """What a column is compared with: None for a value."""
        query, start = self.query, self._start(place)
        if query.text(start - 1) == "NOT" or not self._narrows(start):
            return
        behind = self._behind_cast(place + 1)
        if query.text(behind) == "=":
            yield self._side(behind + 1)
        elif query.text(behind) == "IN":
            yield None
        if query.text(start - 1) == "=":
            yield self._table_of(start - 2)
        elif query.text(start - 1) in ("(", ","):
            yield from self._in_a_row(start)

    def _narrows(self, place: int) -> bool:
        """Whether what stands there has to hold for each row: in a condition, and neither beside an
        OR nor behind a NOT.
        """
        query, begins = self.query, place
        while True:
            begins = self._level_begins(begins)
            if self._has_or_beside(begins):
                return False
            if begins <= 0:  # a fragment: a condition that others put together
                return query.text(0) not in SHOWS | {"UPDATE", "INSERT", "WITH"}
            before = query.text(begins - 1)
            if before in CONDITIONS:
                opening = begins - 2
                return not (query.text(opening) == "(" and query.text(opening - 1) == "FILTER")
            if before in SHOWS or query.text(begins - 2) == "NOT":
                return False
            begins -= 1

    def _has_or_beside(self, begins: int) -> bool:
        """Whether an OR stands in the condition, or parenthesis, that begins there."""
        query, at = self.query, begins
        while at < len(query.tokens) and query.text(at) not in CONDITIONS | SHOWS | {")"}:
            if query.text(at) == "OR":
                return True
            at = (query.other_end(at) if query.text(at) == "(" else at) + 1
        return False

    def _level_begins(self, place: int) -> int:
        """Where the condition, or the inside of the parenthesis, begins in which something stands."""
        query, at = self.query, place - 1
        while at >= 0:
            text = query.text(at)
            if text == "(" or text in CONDITIONS | SHOWS:
                return at + 1
            at = query.other_end(at) - 1 if text == ")" else at - 1
        return 0

    def _behind_cast(self, place: int) -> int:
        while self.query.text(place) in ("::", "[", "]"):
            place += 2 if self.query.text(place) == "::" else 1
        return place

    def _side(self, place: int) -> Source | None:
        """The table whose organization stands right of an equality."""
        return self._table_of(place + 2 if self.query.text(place + 1) == "." else place)

    def _in_a_row(self, start: int) -> Iterator[Source | None]:
        """The column is one of `(a, b) = (c, d)`, `(a, b) IN …` or `USING (a, b)`."""
        query, opening = self.query, start - 1
        while opening >= 0 and query.text(opening) != "(":
            opening = query.other_end(opening) - 1 if query.text(opening) == ")" else opening - 1
        if opening < 0:
            return
        which, closing = list(query.fields_of(opening)).index(start), query.other_end(opening)
        if query.text(opening - 1) == "USING":
            yield from (None if source.table is None else source for source in query.sources)
        elif query.text(closing + 1) == "IN":
            yield None
        elif query.text(closing + 1) == "=":
            yield self._of_row(closing + 2, which)
        elif query.text(opening - 1) == "=" and query.text(opening - 2) == ")":
            yield self._of_row(query.other_end(opening - 2), which)

    def _of_row(self, opening: int, which: int) -> Source | None:
        fields = list(self.query.fields_of(opening)) if self.query.text(opening) == "(" else []
        return self._side(fields[which]) if which < len(fields) else None

    def _is_the_same_row(self, source: Source, place: int) -> bool:
        """Whether the key is compared with what a query of the same table found."""
        query, start = self.query, self._start(place)
        found: list[int | None] = []
        if query.text(start - 1) == "(" and query.text(start - 2) == "USING":
            found += [other.within for other in query.sources]
        for at in (self._behind_cast(place + 1) + 1, start - 4):
            if query.text(at + 1) == "." and (other := query.find(query.text(at))) is not None:
                found.append(other.within)
        if query.text(place + 1) in ("=", "IN"):
            at = place + 2
            while query.text(at) in UP_TO_A_QUERY:
                at += 1
            found.append(int(query.text(at)) if query.at(at).kind == "query" else None)
        return any(self.statement.reads(one, source.table) for one in found)


# --- Texts of the code ---


@dataclass(frozen=True, slots=True, order=True)
class Unnamed:
    """A use of a table whose organization is not named, in a constant or function of a file."""

    place: str
    table: str
    line: int = field(compare=False)
    holes: tuple[str, ...] = field(compare=False, default=())
    """What a program fills into the query."""


@dataclass(frozen=True, slots=True)
class Code:
    """All modules. `keys`: for each table of organizations its column with the organization."""

    modules: Mapping[str, Module]
    keys: Mapping[str, str]

    @classmethod
    def read(cls, modules: Iterable[Module], keys: Mapping[str, str]) -> "Code":
        return cls({module.file: module for module in modules}, keys)

    def uses(self) -> int:
        """How many uses of tables of organizations there are in SQL."""
        return sum(
            Statement.read(text.sql, self.keys).uses()
            for module in self.modules.values()
            for text in texts_of(module.tree)
        )

    def unnamed(self) -> Iterator[Unnamed]:
        """Every use in SQL whose organization is not named."""
        returning = {
            name for module in self.modules.values() for name in functions_returning_where(module)
        }
        for module in self.modules.values():
            narrowed = names_of_where(module, returning)
            for text in texts_of(module.tree):
                if not Statement.read(text.sql, self.keys).uses():
                    continue
                for table, holes in Statement.read(self.whole(module, text), self.keys).unnamed():
                    filled = tuple(hole.text for hole in holes)
                    if not narrowed & set(filled):
                        yield Unnamed(place_of(module, text.line), table, text.line, filled)

    def whole(self, module: Module, text: Text, depth: int = 0) -> str:
        """The text with the named texts that it is filled with, from this module or where they are
        imported from; other holes are `{expression}`.
        """

        def fill(found: re.Match[str]) -> str:
            hole = text.holes[int(found[1])]
            named = self._text_named(module, hole.id) if isinstance(hole, ast.Name) else None
            if named is None or depth > MOST_WITHIN:
                return "{" + ast.unparse(hole).replace("{", "<").replace("}", ">") + "}"
            return f" {self.whole(*named, depth + 1)} "

        return re.sub(f"{HOLE}(\\d+){HOLE}", fill, text.sql)

    def _text_named(self, module: Module, name: str, depth: int = 0) -> tuple[Module, Text] | None:
        for node in module.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                    text = next(iter(texts_of(value)), None)
                    is_text = isinstance(value, ast.JoinedStr | ast.Constant)
                    return (module, text) if text is not None and is_text else None
                case ast.ImportFrom(module=str(source)) if depth < MOST_WITHIN:
                    for alias in node.names:
                        if (alias.asname or alias.name) == name:
                            return self._text_in(source, alias.name, depth)
        return None

    def _text_in(self, source: str, name: str, depth: int) -> tuple[Module, Text] | None:
        path = source.replace(".", "/")
        for file in (f"{path}.py", f"{path}/__init__.py"):
            if (module := self.modules.get(file)) is not None:
                return self._text_named(module, name, depth + 1)
        return None


MOST_WITHIN = 6
"""Texts within texts."""


def place_of(module: Module, line: int) -> str:
    """`file:NAME` of the constant, or of the functions, in which a line stands."""
    names: list[str] = []
    for node in module.nodes:
        if not isinstance(node, ast.stmt) or not node.lineno <= line <= (node.end_lineno or 0):
            continue
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.append(node.name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if node in module.tree.body:
                    names.append(name)
    return f"{module.file}:{'.'.join(names)}"


def functions_returning_where(module: Module) -> Iterator[str]:
    """Functions that answer conditions."""
    for node in module.nodes:
        match node:
            case ast.FunctionDef(name=name, returns=ast.Name(id="Where")):
                yield name


def names_of_where(module: Module, returning: Collection[str]) -> set[str]:
    """What a module calls conditions: they begin with the organization."""
    found = set()
    for node in module.nodes:
        match node:
            case ast.arg(arg=name, annotation=ast.Name(id="Where")):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=called)):
                if ast.unparse(called) in ("Where", "Where.visible_to", *returning):
                    found.add(name)
    return found


def wheres_without(module: Module) -> Iterator[str]:
    """Conditions that begin with values of their own, and not with the organization."""
    for node in module.nodes:
        match node:
            case ast.Call(func=ast.Name(id="Where"), args=[ast.List(elts=[*values]), *_]):
                said = [ast.unparse(value) for value in values]
                if not any("organization_id" in one or one.startswith("*") for one in said):
                    yield place_of(module, node.lineno)


# --- Models ---


def unnamed_of_models(
    module: Module, models: Mapping[str, tuple[str, str]], keys: Mapping[str, str]
) -> Iterator[Unnamed]:
    """Queries that begin at a model class and say nothing of the organization."""
    imported = imported_models(module, models)
    for node in module.nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name), attr=asks)
            ) if asks in BEGINS_A_QUERY and (name in imported or _is_behind(node, name, models)):
                table = models[imported.get(name, name)][0]
                chain = _whole_chain(module, node)
                if table in keys and not _says(chain, keys[table]):
                    yield Unnamed(place_of(module, node.lineno), table, node.lineno)


def _is_behind(call: ast.Call, name: str, models: Collection[str]) -> bool:
    """Whether it is a model that is reached through its module: `models.Card.filter(…)`."""
    assert isinstance(call.func, ast.Attribute)
    return isinstance(call.func.value, ast.Attribute) and name in models


BEGINS_A_QUERY = {
    "all", "annotate", "count", "exclude", "exists", "filter", "first", "get", "get_or_none", "in_bulk", "order_by",
    "select_for_update", "update_or_create", "get_or_create", "values", "values_list",
}  # fmt: skip


def _whole_chain(module: Module, start: ast.Call) -> ast.AST:
    """The longest chain of calls that begins with this one: `Model.filter(…).order_by(…)`."""
    chain: ast.AST = start
    for node in module.nodes:
        if isinstance(node, ast.Call) and _begin_of(node, start) and _end(node) > _end(chain):
            chain = node
    return chain


def _begin_of(chain: ast.AST, start: ast.Call) -> bool:
    at = chain
    while isinstance(at, ast.Call | ast.Attribute) and at is not start:
        at = at.func if isinstance(at, ast.Call) else at.value
    return at is start


def _end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


NARROWS = {"filter", "get", "get_or_none", "exists", "get_or_create", "update_or_create"}
"""What leaves rows out but those that are named; `exclude` and `update` name others."""


def _says(chain: ast.AST, key: str) -> bool:
    at: ast.AST = chain
    while isinstance(at, ast.Call | ast.Attribute):
        if isinstance(at, ast.Call):
            asks = at.func.attr if isinstance(at.func, ast.Attribute) else ""
            if asks in NARROWS and any(_names(one, key) for one in at.keywords):
                return True
            at = at.func
        else:
            at = at.value
    return False


def _names(keyword: ast.keyword, key: str) -> bool:
    """`organization_id=`, one of several, or `**own`, which has it."""
    if keyword.arg is None:
        return re.match(r"own(er|ed_by)?\b", ast.unparse(keyword.value)) is not None
    return keyword.arg in (key, f"{key}__in")
