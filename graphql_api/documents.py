"""The document cache: documents parsed and validated once, remembered by their text."""

import re
from dataclasses import dataclass, field

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLInterfaceType,
    GraphQLObjectType,
    OperationDefinitionNode,
    OperationType,
    get_named_type,
    parse,
    validate,
)
from graphql.validation.rules import overlapping_fields_can_be_merged

from core.foundation.bounded_cache import BoundedCache
from graphql_api.executor.compiled_selection import forget_compiled_selections
from graphql_api.limits import MAX_CHARACTERS, MAX_TOKENS, refusals
from graphql_api.lookahead import forget_selections
from graphql_api.schema import graphql_schema

MAX_CACHED_BYTES = 41_000_000
"""Room for four of the longest documents: each that runs is remembered, and its nodes counted here."""
BYTES_PER_CHARACTER = 200
"""What is made of a document takes up to this much for each character of its text."""

OF_A_PAGE = re.compile(r"Cannot query field '(?P<field>\w+)' on type '(?P<page>\w+)'\.")
"""How graphql-core tells of a field that is not there, where it has nothing to suggest."""

MAX_SUGGESTION_LENGTH = 4_000
"""Of documents up to which it is said what a wrong name could have meant: every guess is work."""

# Comparing every two fields of one name is quadratic: the budget of the library itself is seconds
# of work.
overlapping_fields_can_be_merged.MAX_COMPLEXITY_BUDGET = 50_000


@dataclass(frozen=True, slots=True)
class Document:
    """What a text came to: a document that may be executed, or why it may not."""

    node: DocumentNode | None
    errors: list[GraphQLError] = field(default_factory=list)

    def operation(self, name: str | None) -> OperationType | None:
        """The kind of the operation that a name selects; None where none or several could be meant."""
        assert self.node is not None
        definitions = self.node.definitions
        operations = [one for one in definitions if isinstance(one, OperationDefinitionNode)]
        if name is not None:
            operations = [
                one for one in operations if one.name is not None and one.name.value == name
            ]
        return operations[0].operation if len(operations) == 1 else None


def _forget_what_hangs_on_nodes() -> None:
    """Others know documents by their nodes, which they keep alive."""
    forget_compiled_selections()
    forget_selections()


_known: BoundedCache[str, Document] = BoundedCache(
    max_bytes=MAX_CACHED_BYTES,
    weigh=lambda text, _: BYTES_PER_CHARACTER * len(text) + 2_000,
    emptied=_forget_what_hangs_on_nodes,
)


def read_document(text: str) -> Document:
    """Parse and validate, within the limits of documents. While it is remembered, a text gives the
    same document.
    """
    document = _known.get(text)
    if document is None:
        if len(text) > MAX_CHARACTERS:
            message = f"The document has more than {MAX_CHARACTERS:,} characters; send values as variables."
            return Document(None, [GraphQLError(message)])
        document = _read(text)
        _known.put(text, document)
    return document


def _read(text: str) -> Document:
    try:
        node = parse(text, max_tokens=MAX_TOKENS)
    except GraphQLError as unreadable:
        return Document(
            None, [unreadable.with_traceback(None)]
        )  # which would hold the whole request
    too_long_to_guess = len(text) > MAX_SUGGESTION_LENGTH
    errors = refusals(node) or validate(
        graphql_schema, node, max_errors=20, hide_suggestions=too_long_to_guess
    )
    return Document(None, list(map(_behind_nodes, errors))) if errors else Document(node)


def _behind_nodes(error: GraphQLError) -> GraphQLError:
    """A field of records that was asked of their page: what stands between is told."""
    if not (found := OF_A_PAGE.fullmatch(error.message)):
        return error
    page = graphql_schema.get_type(found["page"])
    nodes = page.fields.get("nodes") if isinstance(page, GraphQLObjectType) else None
    record = get_named_type(nodes.type) if nodes else None
    kinds = (GraphQLObjectType, GraphQLInterfaceType)
    if not isinstance(record, kinds) or found["field"] not in record.fields:
        return error
    return GraphQLError(
        f"{error.message} Did you mean 'nodes {{ {found['field']} }}'?", error.nodes
    )


def forget_documents() -> None:
    """Begin the memory anew, and that of what others know by the nodes of documents."""
    _known.clear()
    _forget_what_hangs_on_nodes()
