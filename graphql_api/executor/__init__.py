"""Executing an operation: graphql-core's executor, with a short cut through records that hold
everything asked.
"""

from graphql_api.executor.executor import RecordExecutor

__all__ = ["RecordExecutor"]
