"""The second factor of a log-in: codes of an app (TOTP), and recovery codes."""

from core.organizations.second_factor.check import (
    SecondFactorNeeded,
    WrongSecondFactor,
    ask_for_it,
    use_code,
)
from core.organizations.second_factor.enroll import (
    add_second_factor,
    confirm_second_factor,
    get_second_factor,
    remove_second_factor,
)
from core.organizations.second_factor.inputs import (
    CurrentPasswordOnly,
    SecondFactorCode,
    SecondFactorRemoval,
)
from core.organizations.second_factor.record import (
    NewSecondFactor,
    RecoveryCodes,
    SecondFactorRecord,
)
from core.organizations.second_factor.renew import renew_second_factors

__all__ = [
    "CurrentPasswordOnly",
    "NewSecondFactor",
    "RecoveryCodes",
    "SecondFactorCode",
    "SecondFactorNeeded",
    "SecondFactorRecord",
    "SecondFactorRemoval",
    "WrongSecondFactor",
    "add_second_factor",
    "ask_for_it",
    "confirm_second_factor",
    "get_second_factor",
    "remove_second_factor",
    "renew_second_factors",
    "use_code",
]
