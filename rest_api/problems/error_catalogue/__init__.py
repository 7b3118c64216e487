"""The error catalogue: what every refusal means; /problems and OpenAPI are made of it.

An `ErrorDoc` stands in the file of its domain, `<domain>.py`, among those that are answered with
the same status; what any request may meet is in `requests.py`. A new refusal is one row
there; a test names those that are missing. This is the order in which they are shown.
"""

from rest_api.problems.error_catalogue import (
    batches,
    cards,
    companies,
    contacts,
    conversations,
    customer_events,
    email,
    journeys,
    lists,
    media,
    numbers,
    organizations,
    pipelines,
    push,
    quotes,
    rcs,
    requests,
    sandbox_clock,
    segments,
    smpp,
    sms,
    templates,
    wallet,
    webhooks,
)

ERROR_DOCS = (
    # 400
    *requests.UNREADABLE,
    *cards.UNREADABLE,
    *push.UNREADABLE,
    *media.UNREADABLE,
    *requests.NOT_REHEARSABLE,
    *requests.BROKEN,
    # 401
    *organizations.UNAUTHORIZED,
    *sms.UNSIGNED,
    *email.UNSIGNED,
    *wallet.UNSIGNED,
    # 402
    *wallet.UNPAID,
    # 403
    *organizations.BROWSER_SESSIONS,
    *organizations.FORBIDDEN,
    # 404
    *requests.MISSING,
    *wallet.MISSING,
    *requests.MISSING_IN_SANDBOX,
    *push.MISSING,
    *conversations.MISSING,
    # 405
    *requests.WRONG_METHOD,
    # 409
    *wallet.CLASHING,
    *requests.CONFLICTS,
    *organizations.CONFLICTS,
    *email.CONFLICTS,
    *sandbox_clock.CONFLICTS,
    *smpp.CONFLICTS,
    *contacts.CONFLICTS,
    *companies.CONFLICTS,
    *lists.CONFLICTS,
    *segments.CONFLICTS,
    *pipelines.CONFLICTS,
    *cards.CONFLICTS,
    *push.CONFLICTS,
    *templates.CONFLICTS,
    *journeys.CONFLICTS,
    *numbers.CONFLICTS,
    *batches.CONFLICTS,
    *conversations.CONFLICTS,
    *quotes.CONFLICTS,
    *webhooks.CONFLICTS,
    # 410
    *webhooks.GONE,
    # 412
    *sms.UNPRICED,
    *rcs.UNPRICED,
    # 422
    *sms.INVALID,
    *quotes.INVALID,
    *organizations.INVALID,
    *smpp.INVALID,
    *webhooks.INVALID,
    *requests.INVALID,
    *contacts.INVALID,
    *companies.INVALID,
    *contacts.INVALID_CONSENT,
    *customer_events.INVALID,
    *lists.INVALID,
    *segments.INVALID,
    *journeys.INVALID,
    *pipelines.INVALID,
    *cards.INVALID,
    *push.INVALID,
    *numbers.INVALID,
    *rcs.INVALID,
    *email.INVALID,
    *media.INVALID,
    *conversations.INVALID,
    *templates.INVALID,
    *sandbox_clock.INVALID,
    # 429
    *requests.TOO_MANY,
    *sms.LIMITED,
    *webhooks.LIMITED,
    *email.LIMITED,
    *organizations.LIMITED,
    # 500
    *requests.FAULTS,
    # 502
    *sms.UPSTREAM,
    *media.UPSTREAM,
    *templates.UPSTREAM,
    *numbers.UPSTREAM,
    # 503
    *requests.UNAVAILABLE,
    *sms.UNAVAILABLE,
    *email.UNAVAILABLE,
    *media.UNAVAILABLE,
    *templates.UNAVAILABLE,
    *batches.UNAVAILABLE,
    *conversations.UNAVAILABLE,
    *companies.UNAVAILABLE,
    *organizations.UNAVAILABLE,
)
