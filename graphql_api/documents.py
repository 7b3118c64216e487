"""Documents: parsed and validated once, remembered by their text."""

from dataclasses import dataclass, field

from graphql import (
    DocumentNode,
    GraphQLError,
    OperationDefinitionNode,
    OperationType,
    parse,
    validate,
)
from graphql.validation.rules import overlapping_fields_can_be_merged

from graphql_api.executor.shortcuts import forget_shortcuts
from graphql_api.limits import CHARACTERS, TOKENS, refusals
from graphql_api.lookahead import forget_seen
from graphql_api.schema import graphql_schema

REMEMBERED = 1_000
REMEMBERED_CHARACTERS = 1_000_000
"""What is made of a document takes up to 200 bytes for each character of its text."""

GUESSED_CHARACTERS = 4_000
"""Of documents up to which it is said what a wrong name could have meant: every guess is work."""

# Comparing every two fields of one name is quadratic: the budget of the library itself is seconds of work.
overlapping_fields_can_be_merged.MAX_COMPLEXITY_BUDGET = 50_000


@dataclass(frozen=True, slots=True)
class Document:
    """What a text came to: a document that may be executed, or why it may not."""

    node: DocumentNode | None
    errors: list[GraphQLError] = field(default_factory=list)

    def operation(self, name: str | None) -> OperationType | None:
        """The kind of the operation that a name selects; None where none or several could be meant."""
        operations = [one for one in self.node.definitions if isinstance(one, OperationDefinitionNode)]  # type: ignore[union-attr]
        if name is not None:
            operations = [one for one in operations if one.name is not None and one.name.value == name]
        return operations[0].operation if len(operations) == 1 else None


_known: dict[str, Document] = {}


def read_document(text: str) -> Document:
    """Parse and validate, within the limits of documents. While it is remembered, a text gives the same document."""
    document = _known.get(text)
    if document is None:
        if len(text) > CHARACTERS:
            message = f"The document has more than {CHARACTERS:,} characters; send values as variables."
            return Document(None, [GraphQLError(message)])
        document = _read(text)
        _remember(text, document)
    return document


def _read(text: str) -> Document:
    try:
        node = parse(text, max_tokens=TOKENS)
    except GraphQLError as unreadable:
        return Document(None, [unreadable])
    too_long_to_guess = len(text) > GUESSED_CHARACTERS
    errors = refusals(node) or validate(graphql_schema, node, max_errors=20, hide_suggestions=too_long_to_guess)
    return Document(None, errors) if errors else Document(node)


def _remember(text: str, document: Document) -> None:
    characters = sum(map(len, _known)) + len(text)
    if len(_known) >= REMEMBERED or characters > REMEMBERED_CHARACTERS:
        forget_documents()
    _known[text] = document


def forget_documents() -> None:
    """Begin the memory anew, and that of what others know by the nodes of documents, which keeps these alive."""
    _known.clear()
    forget_shortcuts()
    forget_seen()
