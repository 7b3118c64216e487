"""What the use cases of accounts refuse."""

from core.foundation.errors import Conflict, NotFound


class NoSuchAccount(NotFound):
    default_detail = "No account has this id."


class EmailTaken(Conflict):
    default_detail = "Another account of the organization has this e-mail address."

    def __init__(self) -> None:
        super().__init__(meta={"code": "EMAIL_JA_CADASTRADO"})
