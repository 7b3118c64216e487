"""The page behind the links of e-mails to people: an invitation, a new password."""

from rest_api.account_page.page import routes

__all__ = ["routes"]
