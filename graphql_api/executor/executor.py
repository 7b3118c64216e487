"""graphql-core's executor with the short cut."""

from typing import Any

from graphql import GraphQLObjectType
from graphql.execution import Executor
from graphql.execution.collect_fields import GroupedFieldSet
from graphql.pyutils import Path
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from graphql_api.executor.shortcuts import shortcut_of


class RecordExecutor(Executor[Any]):
    """Answers a selection from its record at once where that record holds everything; else as
    graphql-core does.

    Whatever is odd (null where there must be a value, a refusal in the place of a value, a value of
    another type) sends the selection through graphql-core, which words the errors and decides what
    becomes null.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.operation_extensions = options.pop("operation_extensions", None)
        super().__init__(*arguments, **options)
        self.context_value.executor = self

    build_resolve_info = StrawberryGraphQLCoreExecutionContext.build_resolve_info

    def execute_fields(
        self,
        parent_type: GraphQLObjectType,
        source_value: Any,
        path: Path | None,
        grouped_field_set: GroupedFieldSet,
        position_context: Any,
    ) -> Any:
        """The response of a selection of an object."""
        if type(source_value) is dict:
            shortcut = shortcut_of(self, parent_type, grouped_field_set)
            if shortcut is not None:
                try:
                    return shortcut(source_value)
                except Exception:  # noqa: S110 - what is wrong, graphql-core will find and say
                    pass
        return super().execute_fields(
            parent_type, source_value, path, grouped_field_set, position_context
        )
