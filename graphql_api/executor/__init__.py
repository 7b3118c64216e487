"""The executor: graphql-core's, with compiled selections for records that hold all that is selected."""

from graphql_api.executor.executor import RecordExecutor

__all__ = ["RecordExecutor"]
