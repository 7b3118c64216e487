"""What each scope lets its holder do."""

from collections.abc import Sequence
from typing import Any, cast

from core.foundation.described_enum import DescribedEnum
from core.foundation.security.caller import KEY_SCOPES, SESSION_ONLY, Scope
from rest_api.support.operations import Operation

SCOPES: dict[Scope, str] = {
    Scope.SMS_READ: "read SMS messages, replies and the links in them",
    Scope.SMS_SEND: "send and preview SMS",
    Scope.RCS_READ: "read RCS messages",
    Scope.RCS_SEND: "send RCS messages",
    Scope.EMAIL_READ: "read e-mail messages",
    Scope.EMAIL_SEND: "send e-mail messages",
    Scope.PUSH_READ: "read push devices, dispatches and their metrics",
    Scope.PUSH_SEND: "register devices and send push notifications",
    Scope.PUSH_SETTINGS: "change push settings and register apps",
    Scope.MESSAGES_READ: "read conversational messages; also numbers, media, templates, flows "
    "and e-mail",
    Scope.MESSAGES_SEND: "send conversational messages",
    Scope.MESSAGES_FORCE: "send conversational messages past pacing and quiet hours",
    Scope.NUMBERS_READ: "read numbers, their health and usage",
    Scope.MEDIA_READ: "download media",
    Scope.MEDIA_WRITE: "upload media",
    Scope.TEMPLATES_READ: "read templates",
    Scope.TEMPLATES_WRITE: "write and submit templates",
    Scope.FLOWS_READ: "read flows",
    Scope.FLOWS_WRITE: "write and publish flows",
    Scope.CONTACTS_READ: "read contacts, lists, segments and customer events",
    Scope.CONTACTS_WRITE: "write contacts, lists, segments and customer events",
    Scope.CONTACTS_PII: "reveal documents of a contact",
    Scope.PII_FULL: "see recipients and phones whole; without it they are masked",
    Scope.CAMPAIGNS_READ: "read journeys",
    Scope.CAMPAIGNS_WRITE: "write and run journeys",
    Scope.CRM_READ: "read companies, pipelines, cards and the people of the organization",
    Scope.CRM_WRITE: "write companies, pipelines and cards",
    Scope.CRM_DELETE: "delete companies, stages and cards",
    Scope.WEBHOOKS_READ: "read webhook subscriptions and their deliveries",
    Scope.WEBHOOKS_WRITE: "subscribe, change and test webhooks",
    Scope.WALLET_READ: "read balances, movements and prices",
    Scope.AUDIT_READ: "read the audit trail",
    Scope.KEYS_MANAGE: "issue, change, rotate and revoke API keys",
    Scope.ACCOUNTS_MANAGE: "look after the people of the organization and their sessions",
}

KeyScope: type[DescribedEnum] = cast(Any, DescribedEnum)(
    "KeyScope",
    {
        scope.name: (scope.value, f"Lets its holder {SCOPES[scope]}")
        for scope in Scope
        if scope in KEY_SCOPES
    },
)
KeyScope.__doc__ = "What an API key may do."


def bearer(operations: Sequence[Operation]) -> dict[str, Any]:
    """The one security scheme, with the scopes that these operations ask for."""
    asked = {operation.scope for operation in operations} | {Scope.PII_FULL}
    rows = [
        f"| `{scope.value}` | {told}{' (sessions only)' if scope in SESSION_ONLY else ''} |"
        for scope, told in SCOPES.items()
        if scope in asked
    ]
    return {
        "type": "http",
        "scheme": "bearer",
        "description": (
            "An API key (`svc_test_…`, `svc_live_…`) or the token of a session (`svc_sess_…`). "
            "Each operation names "
            "the scope that it needs; a credential without it gets 403.\n\n| scope | lets its "
            "holder |\n|---|---|\n" + "\n".join(rows)
        ),
        "x-scopes": {scope.value: told for scope, told in SCOPES.items() if scope in asked},
    }
