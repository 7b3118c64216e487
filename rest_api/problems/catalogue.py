"""What every refusal means, as data: the pages under /problems and the examples in the OpenAPI
document come from here.

A cause stands in the file of its domain, `<domain>_causes.py`, among those that are answered with
the same status; what any request may meet is in `request_causes.py`. A new refusal is one row
there; a test names those that are missing. This is the order in which they are shown.
"""

from rest_api.problems import (
    batch_causes,
    card_causes,
    company_causes,
    contact_causes,
    conversation_causes,
    customer_event_causes,
    email_causes,
    journey_causes,
    list_causes,
    media_causes,
    number_causes,
    organization_causes,
    pipeline_causes,
    push_causes,
    rcs_causes,
    request_causes,
    segment_causes,
    sms_causes,
    template_causes,
    wallet_causes,
    webhook_causes,
)

CAUSES = (
    # 400
    *request_causes.UNREADABLE,
    *card_causes.UNREADABLE,
    *push_causes.UNREADABLE,
    *media_causes.UNREADABLE,
    *request_causes.BROKEN,
    # 401
    *organization_causes.UNAUTHORIZED,
    *sms_causes.UNSIGNED,
    *email_causes.UNSIGNED,
    # 402
    *wallet_causes.UNPAID,
    # 403
    *organization_causes.FORBIDDEN,
    # 404
    *request_causes.MISSING,
    *wallet_causes.MISSING,
    *request_causes.MISSING_IN_SANDBOX,
    *push_causes.MISSING,
    *conversation_causes.MISSING,
    # 405
    *request_causes.WRONG_METHOD,
    # 409
    *request_causes.CONFLICTS,
    *organization_causes.CONFLICTS,
    *contact_causes.CONFLICTS,
    *company_causes.CONFLICTS,
    *list_causes.CONFLICTS,
    *segment_causes.CONFLICTS,
    *pipeline_causes.CONFLICTS,
    *card_causes.CONFLICTS,
    *push_causes.CONFLICTS,
    *template_causes.CONFLICTS,
    *journey_causes.CONFLICTS,
    *number_causes.CONFLICTS,
    *batch_causes.CONFLICTS,
    *conversation_causes.CONFLICTS,
    *webhook_causes.CONFLICTS,
    # 410
    *webhook_causes.GONE,
    # 412
    *sms_causes.UNPRICED,
    *rcs_causes.UNPRICED,
    # 422
    *sms_causes.INVALID,
    *organization_causes.INVALID,
    *webhook_causes.INVALID,
    *request_causes.INVALID,
    *contact_causes.INVALID,
    *company_causes.INVALID,
    *contact_causes.INVALID_CONSENT,
    *customer_event_causes.INVALID,
    *list_causes.INVALID,
    *segment_causes.INVALID,
    *journey_causes.INVALID,
    *pipeline_causes.INVALID,
    *card_causes.INVALID,
    *push_causes.INVALID,
    *number_causes.INVALID,
    *rcs_causes.INVALID,
    *email_causes.INVALID,
    *media_causes.INVALID,
    *conversation_causes.INVALID,
    *template_causes.INVALID,
    # 429
    *sms_causes.LIMITED,
    *webhook_causes.LIMITED,
    *organization_causes.LIMITED,
    # 500
    *request_causes.FAULTS,
    # 502
    *sms_causes.UPSTREAM,
    *media_causes.UPSTREAM,
    *template_causes.UPSTREAM,
    *number_causes.UPSTREAM,
    # 503
    *request_causes.UNAVAILABLE,
    *sms_causes.UNAVAILABLE,
    *email_causes.UNAVAILABLE,
    *media_causes.UNAVAILABLE,
    *template_causes.UNAVAILABLE,
    *batch_causes.UNAVAILABLE,
    *conversation_causes.UNAVAILABLE,
    *company_causes.UNAVAILABLE,
    *organization_causes.UNAVAILABLE,
)
