"""What the use cases of accounts refuse."""

from core.foundation.errors import Conflict, NotFound


class NoSuchAccount(NotFound):
    default_detail = "No account has this id."


class LastOwner(Conflict):
    default_detail = "The organization needs an active owner; make somebody else one first."

    def __init__(self) -> None:
        super().__init__(meta={"code": "ULTIMO_PROPRIETARIO"})


class StillInvited(Conflict):
    default_detail = "The person has not accepted the invitation yet; nobody else does that."

    def __init__(self) -> None:
        super().__init__(meta={"code": "CONVITE_PENDENTE"})


class EmailTaken(Conflict):
    default_detail = "Another account of the organization has this e-mail address."

    def __init__(self) -> None:
        super().__init__(meta={"code": "EMAIL_JA_CADASTRADO"})
