"""Documents: parsed and validated once, remembered by their text."""

from dataclasses import dataclass, field
from functools import lru_cache

from graphql import (
    DocumentNode,
    GraphQLError,
    OperationDefinitionNode,
    OperationType,
    parse,
    validate,
)

from graphql_api.limits import TOKENS, refusals
from graphql_api.schema import graphql_schema

REMEMBERED = 1_000


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


@lru_cache(maxsize=REMEMBERED)
def read_document(text: str) -> Document:
    """Parse and validate, within the limits of documents. Equal texts give the same document."""
    try:
        node = parse(text, max_tokens=TOKENS)
    except GraphQLError as unreadable:
        return Document(None, [unreadable])
    errors = refusals(node) or validate(graphql_schema, node, max_errors=20)
    return Document(None, errors) if errors else Document(node)
