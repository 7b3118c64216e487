"""graphql-core's executor with compiled selections; it answers itself where those fall back."""

from typing import Any

from graphql import GraphQLObjectType
from graphql.execution import Executor
from graphql.execution.collect_fields import GroupedFieldSet
from graphql.pyutils import Path
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from core.foundation import settings
from core.foundation.observability.metrics import Counter
from graphql_api.executor.compiled_selection import FallBack, Response, compiled_selection_of

FALL_BACKS = Counter(
    "svc_graphql_fall_backs_total",
    "Operations of which graphql-core answered a selection that could have been compiled.",
    ("reason",),
)


class RecordExecutor(Executor[Any]):
    """Answers a selection from its record at once where that record holds everything; else as
    graphql-core does.

    Whatever is unusual (null where there must be a value, a refusal in the place of a value, a
    value of another type) sends the selection through graphql-core, which words the errors and
    decides what becomes null. `fall_backs` has the reasons, each counted once for an operation.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.operation_extensions = options.pop("operation_extensions", None)
        super().__init__(*arguments, **options)
        self.context_value.executor = self
        self.compiled = settings.current().graphql_compiled == "on"
        self.fall_backs: set[str] = set()

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
        if self.compiled and type(source_value) is dict:
            response = self._compiled_response(parent_type, source_value, grouped_field_set)
            if response is not None:
                return response
        return super().execute_fields(
            parent_type, source_value, path, grouped_field_set, position_context
        )

    def _compiled_response(
        self, type: GraphQLObjectType, record: dict[str, Any], fields: GroupedFieldSet
    ) -> Response | None:
        """What the compiled selection answers, or None where graphql-core has to."""
        try:
            return compiled_selection_of(self, type, fields)(record)
        except FallBack as fall_back:
            self._note(fall_back.reason)
        except Exception:  # what is wrong, graphql-core will find and say
            self._note("value")
        return None

    def _note(self, reason: str) -> None:
        if reason not in self.fall_backs:
            self.fall_backs.add(reason)
            FALL_BACKS.labels(reason).add()
