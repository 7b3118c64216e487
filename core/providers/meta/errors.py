"""Error codes of the platform: a sentence for each, and whether another try may succeed.

The platform's own texts are not passed on: they repeat phones and ids. Source: the error codes of
the Cloud API and of the GraphClient API.
"""

import re
from typing import Literal

Verdict = Literal["later", "pair", "final"]

PAIR = "131056"
_CODE = re.compile("[0-9]{1,18}")

_TEMPORARY = {
    "1": "The platform could not tell what was wrong; the message was not taken.",
    "2": "The platform is overloaded or down.",
    "4": "The platform's limit of calls for the app is reached.",
    "17": "The platform's limit of calls for the account is reached.",
    "32": "The platform's limit of calls for the account is reached.",
    "341": "The platform's limit of calls for the app is reached.",
    "613": "The platform's limit of calls for the account is reached.",
    "80007": "The business account reached its limit of calls.",
    "80008": "The business account reached its limit of calls.",
    "130429": "The number reached the platform's limit of messages per second.",
    "131000": "The platform failed for a reason that it does not name.",
    "131016": "The platform's service is unavailable.",
    "131057": "The platform is maintaining the business account.",
    "133004": "The platform's server is unavailable.",
    PAIR: "Too many messages went from this number to this recipient in a short time.",
}

_FINAL = {
    "0": "The platform did not accept the access token of the number.",
    "3": "The access token lacks the permission for this.",
    "10": "The access token lacks the permission for this.",
    "33": "The platform does not know this number any more.",
    "100": "The platform found a parameter of the message invalid.",
    "190": "The access token of the number has expired or was revoked.",
    "368": "The platform blocked the business account for violating its policies.",
    "551": "The recipient cannot be written to now.",
    "2018001": "The platform knows no such recipient.",
    "2534014": "The platform knows no such recipient.",
    "2534022": "More than 24 hours passed since the recipient last wrote.",
    "130403": "The platform does not let this business write to the recipient.",
    "130472": "The platform kept the recipient out of marketing messages, as part of an "
    "experiment.",
    "130497": "The business account may not write to recipients of this country.",
    "131005": "The access token lacks the permission for this.",
    "131008": "A parameter that the platform requires is missing.",
    "131009": "The value of a parameter is not one that the platform takes.",
    "131021": "Sender and recipient are the same number.",
    "131026": "The message cannot be delivered: the recipient is not on the channel, or its app "
    "is too old.",
    "131030": "The recipient is not among those that a number under test may write to.",
    "131031": "The platform locked the business account.",
    "131037": "The display name of the number is not approved.",
    "131042": "The platform cannot charge the business account; check its payment method.",
    "131045": "The number is not registered correctly on the platform.",
    "131047": "More than 24 hours passed since the recipient last wrote; send a template.",
    "131048": "The platform restricted the number because messages were blocked or reported as "
    "spam.",
    "131049": "The platform chose not to deliver, to keep the recipient's number of marketing "
    "messages low.",
    "131050": "The recipient stopped the marketing messages of this business.",
    "131051": "The platform does not take messages of this type.",
    "131052": "The platform could not fetch the file that the recipient sent.",
    "131053": "The platform could not take the file of the message.",
    "131055": "The platform does not allow this to the number.",
    "132000": "The number of variables differs from that of the approved template.",
    "132001": "No approved template has this name and language.",
    "132005": "The text of the template is too long once the variables are filled in.",
    "132007": "The content of the template violates the platform's rules.",
    "132012": "A variable of the template has another format than the approved one.",
    "132015": "The template is paused because of its quality.",
    "132016": "The template was paused too often and is disabled for good.",
    "132068": "The flow is blocked.",
    "132069": "The flow is throttled and was sent too often in the last hour.",
    "2388019": "The business account has as many templates as it may have.",
    "2388023": "A template of this name and language is just being removed; wait a minute, or "
    "use another name.",
    "2388024": "A template of this name and language is there already.",
    "2388040": "A text of the template is too long.",
    "2388047": "The header of the template has the wrong format.",
    "2388072": "The body of the template has the wrong format.",
    "2388073": "The footer of the template has the wrong format.",
    "2388293": "The template has too many variables for the length of its text.",
    "2388299": "A variable stands at the beginning or the end of the template.",
    "133000": "The last removal of the number from the platform did not finish.",
    "133005": "The two-step PIN of the number is wrong.",
    "133006": "The number must be verified before it is registered.",
    "133008": "The two-step PIN of the number was guessed too often.",
    "133009": "The two-step PIN of the number was entered too fast.",
    "133010": "The number is not registered on the platform.",
    "133015": "The number was removed from the platform a moment ago; wait some minutes.",
    "133016": "The number was registered and removed too often.",
    "134011": "The business account did not accept the terms of payments on the platform.",
    "135000": "The platform found the message invalid, without saying in what.",
}

SENTENCES = _TEMPORARY | _FINAL
"""Our English sentence for each code that we know, of at most 200 characters."""

TEMPORARY = frozenset(_TEMPORARY)
"""Codes after which the same message may be sent again."""


def sentence_of(code: str) -> str:
    """What to tell a customer of a code."""
    if code in SENTENCES:
        return SENTENCES[code]
    if code.isdecimal() and 200 <= int(code[:6]) <= 299:
        return "The access token lacks the permission for this."
    return (
        "The platform refused the message for a reason that we have no text for; look its code up."
    )


def code_of(value: object) -> str | None:
    """A code as it is stored: the platform writes a number."""
    text = str(value) if type(value) is int else value
    return text if isinstance(text, str) and _CODE.fullmatch(text) else None
