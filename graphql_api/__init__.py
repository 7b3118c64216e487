"""The GraphQL entry point: a caller and a document in, one answer out; transports are REST's."""

from graphql_api.errors import as_entry
from graphql_api.execute import Answer, MutationByGet, answer, answer_query
from graphql_api.registered import use_own, use_store
from graphql_api.schema import schema

__all__ = [
    "Answer",
    "MutationByGet",
    "answer",
    "answer_query",
    "as_entry",
    "schema",
    "use_own",
    "use_store",
]
