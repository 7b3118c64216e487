"""Examples of accounts and sessions."""

from typing import Any

from rest_api.support.sample_ids import ACCOUNT, API_KEY, ORGANIZATION, SESSION

OWNER = {
    "id": ACCOUNT,
    "organizationId": ORGANIZATION,
    "name": "Ana Souza",
    "email": "ana@example.com",
    "role": "owner",
    "status": "active",
    "createdAt": "2026-10-02T12:00:00.972Z",
}
PAGE: dict[str, Any] = {"items": [{**OWNER, "email": "a***@example.com"}], "total": 1}
OPENED = {
    "token": "svc_sess_Xk2mQ9vTb4RnLc8WyEp3ZsJd6FgAu1Oi5NhB7CtY0000",
    "expiresAt": "2026-11-21T15:11:30.237Z",
    "account": OWNER,
    "secondFactorDue": False,
}
SETTINGS = {
    "id": ORGANIZATION,
    "nome": "Loja do Centro",
    "demandsSecondFactor": True,
    "withoutSecondFactor": 3,
}
ME = {
    "a key": {
        "organization": {"id": ORGANIZATION, "nome": "Loja do Centro"},
        "env": "test",
        "scopes": ["sms:read", "sms:send"],
        "expiresAt": None,
        "limits": {"smsPerSecond": 50, "graphqlCost": 100_000},
        "capacidades": ["dry-run"],
        "credential": {"id": API_KEY, "kind": "key", "nome": "checkout", "prefixo": "svc_test_Swv"},
        "account": {**OWNER, "email": "a***@example.com"},
    },
    "a session": {
        "organization": {"id": ORGANIZATION, "nome": "Loja do Centro"},
        "env": "live",
        "scopes": ["keys:manage", "sms:read", "sms:send"],
        "expiresAt": "2026-11-21T15:11:30.311Z",
        "limits": {"smsPerSecond": 50, "graphqlCost": 100_000},
        "capacidades": ["dry-run"],
        "credential": {"id": SESSION, "kind": "session"},
        "account": OWNER,
    },
}
SESSIONS = {
    "items": [
        {
            "id": SESSION,
            "accountId": ACCOUNT,
            "env": "live",
            "createdAt": "2026-11-21T07:11:30.237Z",
            "lastUsedAt": "2026-11-21T08:40:00.000Z",
            "expiresAt": "2026-11-21T20:40:00.000Z",
        }
    ],
    "total": 1,
}
OPERATOR = {
    **OWNER,
    "name": "Bia Lima",
    "email": "bia@example.com",
    "role": "operator",
}
INVITED = {
    "account": {**OPERATOR, "status": "invited"},
    "letter": True,
    "expiresAt": "2026-11-24T07:11:30.237Z",
}
INVITED_BY_LINK = {
    **INVITED,
    "letter": False,
    "link": "https://svc.example.com/account#accept=4fRt6YhJ8kLo0PzXcVbNm2Qw7ErTy5UiOp3AsDfGhJ1",
}
SECOND_FACTOR = {
    "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
    "uri": "otpauth://totp/Padaria%3Aana%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
    "&issuer=Padaria&algorithm=SHA1&digits=6&period=30",
}
