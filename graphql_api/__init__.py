"""The GraphQL door: a caller and a document in, one answer out. Who calls, and by which transport, is known before."""

from graphql_api.execute import Answer, answer
from graphql_api.registered import use_store
from graphql_api.schema import schema

__all__ = ["Answer", "answer", "schema", "use_store"]
