"""Error catalogue: refusals of contacts."""

from core.contacts.errors import (
    ConsentBeforeRevocation,
    ConsentCannotBeForgotten,
    ConsentInTheFuture,
    ExternalIdTaken,
    NoSuchCompany,
    PhoneAlreadyRegistered,
    PhoneCannotChange,
)
from rest_api.problems.error_doc import ErrorDoc, at

WRITE_CONTACT = at("POST /contacts", "PATCH /contacts/{id}")

CONFLICTS = (
    ErrorDoc(
        PhoneAlreadyRegistered(),
        (
            "Another contact has this phone; a Brazilian mobile with and without its "
            "ninth digit is the same one."
        ),
        "Change the contact that exists.",
        at("POST /contacts"),
    ),
    ErrorDoc(
        ExternalIdTaken(),
        "Another contact has this `externalId`.",
        "Find it with `GET /contacts?externalId=`, and decide which of the two it belongs to.",
        WRITE_CONTACT,
    ),
)

INVALID = (
    ErrorDoc(
        PhoneCannotChange(),
        "The phone is the identity of a contact and never changes.",
        "Create another contact, and delete this one if it is not needed.",
        at("PATCH /contacts/{id}"),
    ),
    ErrorDoc(
        NoSuchCompany(),
        "`companyId` names no company of the organization.",
        "Check the id.",
        WRITE_CONTACT,
    ),
)

INVALID_CONSENT = (
    ErrorDoc(
        ConsentInTheFuture("/optIn/at"),
        "The date of a consent or of its revocation lies more than five minutes ahead.",
        "Send a date that has passed, in UTC, and check the clock.",
        at("POST /contacts", "PATCH /contacts/{id}", "POST /contacts/opt-out"),
    ),
    ErrorDoc(
        ConsentBeforeRevocation(),
        (
            "The contact revoked its consent, and the new one is older than that or does "
            "not say where it comes from."
        ),
        "Send `optIn.source`, and an `optIn.at` later than the revocation.",
        at("PATCH /contacts/{id}"),
    ),
    ErrorDoc(
        ConsentCannotBeForgotten(),
        "A consent that was granted or denied cannot become unknown again.",
        "Leave `optIn` out, or send `granted` or `denied`.",
        at("PATCH /contacts/{id}"),
    ),
)
