"""Refusals of requests that never came whole."""

from core.foundation.errors import BadRequest


class EndedEarly(BadRequest):
    default_detail = "The body ended before all of it had come; send it again."


class HeadTooLarge(BadRequest):
    default_detail = (
        "The address and the headers of a request have at most 64 KB together; send less."
    )


class TooSlow(BadRequest):
    default_detail = "The request took too long to arrive; send it again, over a faster line."


class Unreadable(BadRequest):
    default_detail = "This is no HTTP request that can be read; correct it and send it again."
