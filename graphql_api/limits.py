"""What a document may be, measured before it is validated: its cost is bounded whatever its text.

Every fragment is measured once, so that fragments of fragments cost what they are long, not what
they stand for.
"""

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    OperationDefinitionNode,
    SelectionSetNode,
)

MAX_DEPTH = 8
MAX_ALIASES = 15
MAX_TOKENS = 2_000
MAX_CHARACTERS = 50_000
"""Tokens may be of any length, and what is remembered of a document holds its text."""

INTROSPECTION = ("__schema", "__type")

OF_A_PAGE = ("edges", "node", "nodes")
"""Fields that are no level: `edges { node { name } }` asks for no more than `nodes { name }` does.
"""


def refusals(document: DocumentNode) -> list[GraphQLError]:
    """Why a document is too large; nothing when it is not."""
    measure = _Measure(document)
    found = []
    for operation in document.definitions:
        if isinstance(operation, OperationDefinitionNode):
            depth, aliases = measure.of(operation.selection_set)
            if measure.aliased_introspection:
                # The schema once more for each of them, which no limit of ours would notice.
                found.append(GraphQLError("Introspection takes no aliases.", operation))
            if depth > MAX_DEPTH:
                found.append(
                    GraphQLError(
                        f"The document is {depth} levels deep; {MAX_DEPTH} are allowed.", operation
                    )
                )
            if aliases > MAX_ALIASES:
                found.append(
                    GraphQLError(
                        f"The document has {aliases} aliases; {MAX_ALIASES} are allowed.", operation
                    )
                )
    return found


class _Measure:
    """Levels of fields below a selection's own, and aliases; fragments count wherever they are
    spread.

    The fields of a page are no level, and introspection is as deep as it is; whether there were
    aliases below that stands in `aliased_introspection`.
    """

    def __init__(self, document: DocumentNode) -> None:
        self._fragments = {
            one.name.value: one
            for one in document.definitions
            if isinstance(one, FragmentDefinitionNode)
        }
        self._known: dict[str, tuple[int, int]] = {}
        self.aliased_introspection = False

    def of(self, selections: SelectionSetNode) -> tuple[int, int]:
        """Depth and aliases."""
        depth, aliases = 0, 0
        for selection in selections.selections:
            if isinstance(selection, FragmentSpreadNode):
                below = self._fragment(selection.name.value)
            elif isinstance(selection, FieldNode):
                aliases += selection.alias is not None
                below = (0, 0)
                if selection.selection_set is not None:
                    deeper, more = self.of(selection.selection_set)
                    below = (deeper + (selection.name.value not in OF_A_PAGE), more)
                    if selection.name.value in INTROSPECTION:
                        self.aliased_introspection |= more > 0
                        below = (0, 0)
            else:
                below = self.of(selection.selection_set)  # type: ignore[attr-defined]
            depth, aliases = max(depth, below[0]), aliases + below[1]
        return depth, aliases

    def _fragment(self, name: str) -> tuple[int, int]:
        if name not in self._known:
            self._known[name] = (0, 0)  # a circle ends here, and validation refuses it
            if (fragment := self._fragments.get(name)) is not None:
                self._known[name] = self.of(fragment.selection_set)
        return self._known[name]
