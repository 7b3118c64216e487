"""Why a second factor is refused."""

from core.foundation.errors import Conflict, FieldError, Unauthorized, ValidationFailed


class SecondFactorNeeded(Unauthorized):
    """Only who knows the password learns of it."""

    default_detail = "The account asks for a second factor; send code as well."

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "segundo_fator_exigido"})


class WrongSecondFactor(Unauthorized):
    """It never tells whether the code was wrong, too old or used."""

    default_detail = "The code is not right, or was used already; wait for the next one."

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "segundo_fator_invalido"})


class WrongCode(ValidationFailed):
    default_detail = "The code is not right, or was used already; wait for the next one."

    def __init__(self) -> None:
        said = "No code of this moment, or used already"
        super().__init__(
            meta={"code": "CODIGO_INCORRETO"},
            errors=[FieldError("pointer", "/code", "CODIGO_INCORRETO", said)],
        )


class SecondFactorActive(Conflict):
    default_detail = "A second factor is active already; remove it first."

    def __init__(self) -> None:
        super().__init__(meta={"code": "SEGUNDO_FATOR_ATIVO"})


class NoSecondFactor(Conflict):
    default_detail = "There is no second factor that waits for this; add one first."

    def __init__(self) -> None:
        super().__init__(meta={"code": "SEGUNDO_FATOR_AUSENTE"})
