"""The dashboard: one page without a build step, drawn from GraphQL with a key that only the open
page knows.
"""

from rest_api.dashboard.page import routes

__all__ = ["routes"]
