"""GraphiQL, shown to browsers at the gateway's own address; every file of it is ours to serve."""

from rest_api.graphiql.page import PAGE

__all__ = ["PAGE"]
