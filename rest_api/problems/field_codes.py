"""What `errors[].code` says about a single field."""

from core.webhooks.subscriptions.ping import MESSAGES

FIELD_CODES: dict[str, str] = {
    "required": "The field is missing.",
    "unknown_field": "The operation knows no such field; names are spelt as in the reference.",
    "wrong_type": "The value has another JSON type than the field. Nothing is converted: a "
    "number is not a text.",
    "wrong_format": "The text does not have the form that the reference gives.",
    "not_found": "The field names something that does not exist here, or cannot be used.",
    "not_allowed": "The value is none of those that are allowed.",
    "too_long": "The text is too long.",
    "too_short": "The text is too short.",
    "too_many": "The list or object has too many entries.",
    "too_few": "The list or object has too few entries.",
    "too_large": "The number or date is too large.",
    "too_small": "The number or date is too small.",
    "too_precise": "The number has more decimals than are kept; nothing is rounded.",
    "out_of_range": "The instant lies outside the years 1 to 9999.",
    "not_finite": "The number is infinite or not a number.",
    "line_break": "A name, a subject or what else is one line holds a line break or another "
    "control character.",
    "nul": "A text holds the character NUL, which cannot be stored.",
    "not_utf8": "A parameter is not written in UTF-8.",
    "repeated": "Something that may stand once stands twice.",
    "immutable": "The field cannot change.",
    "reserved_header": "The name of the header is reserved for the delivery itself.",
    "session_only": "Only a session holds this scope; a key never does.",
    "invalid_phone": "The text is no phone number; write it in E.164, such as +5511987654321.",
    "in_the_future": "The date lies in the future.",
    "invalid_cpf": "The text is no CPF: eleven digits, the last two of which check the others.",
    "invalid_cnpj": "The text is no CNPJ: fourteen characters, with or without punctuation, "
    "whose check digits fit.",
    "not_a_picture": "The text is neither an http(s) address nor a picture as a `data:` URI.",
    "not_contiguous": "The variables of a text are not numbered from {{1}} without a gap.",
    "at_the_edge": "A variable stands first or last in a body.",
    "wrong_order": "Buttons that answer do not stand together.",
    "opt_out": "The recipient asked not to receive communication.",
    "VALOR_MASCARADO": "A masked value was written back; send the whole value or leave the field "
    "out.",
    "ESCOPO_AMPLIADO": "The key does not hold this scope, and a change cannot give it one.",
    **{str(reason): message for reason, message in MESSAGES.items()},
}
"""What `errors[].code` says."""
