"""The pages behind the `type` of every problem: what a code means and what to do."""

from rest_api.problems.pages import routes

__all__ = ["routes"]
