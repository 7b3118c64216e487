"""Decisions: accounts and sessions."""

from dataclasses import replace
from typing import Any

from core.foundation.clock import now
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.organizations import (
    Account,
    NewInvitation,
    count_reset_request,
    hold_invitation,
    issue_reset,
)
from core.organizations.accounts.own import attempt_of_own
from core.organizations.models import Organization, SecondFactor, Session
from core.organizations.second_factor.check import attempt_at
from core.organizations.second_factor.totp import code_of, step_of
from core.organizations.sessions.errors import WrongCredentials
from core.organizations.sessions.locks import MAX_FAILURES, attempt_of, count_attempt
from tests.contract.table import Endpoint, Limit, Page, Refusal
from tests.contract.world import World
from tests.factories.accounts import (
    PASSWORD,
    a_log_in,
    a_pending_factor,
    a_stored_session,
    an_account,
)


async def an_email(caller: Caller) -> str:
    """The address with which somebody of the organization logs in."""
    return str((await an_account(caller.organization_id))["email"])


async def somebody(caller: Caller) -> str:
    """The id of a person of the organization."""
    return str((await an_account(caller.organization_id, role="operator"))["id"])


async def a_log_in_of_somebody(caller: Caller) -> str:
    """The id of a session that is open."""
    session, _ = await a_stored_session(
        caller.organization_id, await somebody(caller), env=caller.env
    )
    return session.id


async def a_link(caller: Caller) -> str:
    """The token of a letter to somebody who has forgotten the password."""
    account = await Account.get(id=await somebody(caller))
    return await issue_reset(account, request_id=None, at=now())


async def an_invitation(caller: Caller) -> str:
    """The token of the link of somebody who is invited."""
    owner = replace(caller, scopes=frozenset(Scope), kind="session")
    new = NewInvitation(email=f"{new_id('e')}@padaria.test", name="Bia")
    _, token, _ = await hold_invitation(owner, new, at=now())
    return token


async def somebody_invited(caller: Caller) -> str:
    """The id of a person who has not accepted yet."""
    return str((await an_account(caller.organization_id, status="invited"))["id"])


async def no_code(_: Caller) -> str:
    """What stands in the place of a code until somebody has an app."""
    return "000000"


async def whoever_calls_has_begun(world: World) -> None:
    world.next_person = await world.person()
    secret = await a_pending_factor(world.caller.organization_id, world.next_person)
    world.records["code of the app"] = code_of(secret, step_of(now()))


async def whoever_calls_has_one(world: World) -> None:
    await whoever_calls_has_begun(world)
    await SecondFactor.filter(account_id=world.next_person).update(confirmed_at=now())


RECORDS = {
    "code of the app": no_code,
    "token of an invitation": an_invitation,
    "invited account": somebody_invited,
    "token of a reset": a_link,
    "email of an account": an_email,
    "account": somebody,
    "session of an account": a_log_in_of_somebody,
}

ENDPOINTS = [
    Endpoint(
        address="POST /v2/sessions",
        scope=None,
        by="nobody",
        status=201,
        errors="400 401 422 429",
        fields="email! password! env organizationId code",
        body={"email": "<email of an account>", "password": PASSWORD},
    ),
    Endpoint(
        address="DELETE /v2/sessions/current",
        scope=None,
        by="session",
        status=204,
        errors="401 403",
    ),
    Endpoint(
        address="GET /v2/sessions",
        scope=None,
        by="session",
        both_environments=True,
        errors="401 403 422",
        parameters="accountId limit* skip* cursor",
    ),
    Endpoint(
        address="DELETE /v2/sessions/{id}",
        scope=None,
        by="session",
        status=204,
        both_environments=True,
        errors="401 403 404",
        ids={"id": "<session of an account>"},
    ),
    Endpoint(
        address="POST /v2/sessions/password-reset",
        scope=None,
        by="nobody",
        status=204,
        errors="400 422 429",
        fields="email! organizationId language",
        body={"email": "<email of an account>"},
    ),
    Endpoint(
        address="POST /v2/sessions/password-reset/confirm",
        scope=None,
        by="nobody",
        status=204,
        errors="400 422 429",
        fields="token! password!",
        body={"token": "<token of a reset>", "password": "a new password"},
    ),
    Endpoint(address="GET /v2/me", scope=None, errors="401"),
    Endpoint(
        address="PATCH /v2/me",
        scope=None,
        by="session",
        errors="400 401 403 422 429",
        fields="name password currentPassword",
        body={"name": "Ana Souza"},
    ),
    Endpoint(address="GET /v2/me/second-factor", scope=None, by="session", errors="401 403"),
    Endpoint(
        address="POST /v2/me/second-factor",
        scope=None,
        by="session",
        status=201,
        errors="400 401 403 409 422 429",
        fields="currentPassword!",
        body={"currentPassword": PASSWORD},
    ),
    Endpoint(
        address="POST /v2/me/second-factor/confirm",
        scope=None,
        by="session",
        errors="400 401 403 409 422 429",
        fields="code!",
        body={"code": "<code of the app>"},
        before=whoever_calls_has_begun,
    ),
    Endpoint(
        address="POST /v2/me/second-factor/remove",
        scope=None,
        by="session",
        status=204,
        errors="400 401 403 409 422 429",
        fields="currentPassword! code!",
        body={"currentPassword": PASSWORD, "code": "<code of the app>"},
        before=whoever_calls_has_one,
    ),
    Endpoint(
        address="GET /v2/organization",
        scope="accounts:manage",
        by="session",
        both_environments=True,
        errors="401 403",
    ),
    Endpoint(
        address="PATCH /v2/organization",
        scope="accounts:manage",
        by="session",
        both_environments=True,
        errors="400 401 403 409 422",
        fields="demandsSecondFactor",
        body={"demandsSecondFactor": False},
    ),
    Endpoint(
        address="GET /v2/accounts",
        scope="crm:read",
        both_environments=True,
        errors="401 403 422",
        parameters="status* role* limit* skip* cursor",
    ),
    Endpoint(
        address="POST /v2/accounts",
        scope="accounts:manage",
        by="session",
        status=201,
        errors="400 401 403 409 422",
        fields="email! name! role language",
        body={"email": "bia@padaria.test", "name": "Bia"},
    ),
    Endpoint(
        address="POST /v2/accounts/accept",
        scope=None,
        by="nobody",
        errors="400 422 429",
        fields="token! password! name",
        body={"token": "<token of an invitation>", "password": "a new password"},
    ),
    Endpoint(
        address="PATCH /v2/accounts/{id}",
        scope="accounts:manage",
        by="session",
        both_environments=True,
        errors="400 401 403 404 409 422",
        ids={"id": "<account>"},
        fields="name role status suspenderChaves removerSegundoFator",
        body={"role": "admin"},
    ),
    Endpoint(
        address="GET /v2/accounts/{id}",
        scope="crm:read",
        both_environments=True,
        errors="401 403 404",
        ids={"id": "<account>"},
    ),
]

LOG_IN = "POST /v2/sessions"
FORGOTTEN = "POST /v2/sessions/password-reset"
RESET = "POST /v2/sessions/password-reset/confirm"
INVITE, ACCEPT = "POST /v2/accounts", "POST /v2/accounts/accept"
CHANGE = "PATCH /v2/accounts/{id}"
ADD, CONFIRM = "POST /v2/me/second-factor", "POST /v2/me/second-factor/confirm"
REMOVE = "POST /v2/me/second-factor/remove"
ME = "PATCH /v2/me"
SETTINGS = "PATCH /v2/organization"
NEW_PASSWORD = {"password": "a new password", "currentPassword": PASSWORD}


async def the_same_person_elsewhere(world: World) -> None:
    await an_account(email=await world.record("email of an account"))


async def five_wrong_passwords(world: World) -> None:
    for _ in range(5):
        try:
            await a_log_in(
                await world.record("email of an account"), "not the password", address="127.0.0.1"
            )
        except WrongCredentials:
            continue


async def five_wrong_current_passwords(world: World) -> None:
    for account_id in world.people:
        for _ in range(MAX_FAILURES):
            await count_attempt(attempt_of_own(account_id), at=now())


async def five_letters_asked_for(world: World) -> None:
    for _ in range(MAX_FAILURES):
        await count_reset_request(await world.record("email of an account"), "127.0.0.1", at=now())


async def five_tries_at_a_link(world: World) -> None:
    token = await world.record("token of a reset")
    for _ in range(MAX_FAILURES):
        await count_attempt(attempt_of(f"link {token}", "127.0.0.1"), at=now())


async def five_tries_at_an_invitation(world: World) -> None:
    token = await world.record("token of an invitation")
    for _ in range(MAX_FAILURES):
        await count_attempt(attempt_of(f"link {token}", "127.0.0.1"), at=now())


async def it_is_the_address_of_somebody(world: World) -> None:
    await an_account(world.caller.organization_id, email="bia@padaria.test")


async def it_is_about_who_was_invited(world: World) -> None:
    world.records["account"] = await world.record("invited account")


async def it_is_about_the_only_owner(world: World) -> None:
    for owner in await Account.filter(organization_id=world.caller.organization_id, role="owner"):
        if owner.id != world.people[-1]:
            await Account.filter(id=owner.id).update(role="operator")
    world.records["account"] = world.people[-1]


async def only_an_admin_asks(world: World) -> None:
    await Account.filter(id=world.people[-1]).update(role="admin")


async def five_tries_at_the_code(world: World) -> None:
    for account_id in world.people:
        for _ in range(MAX_FAILURES):
            await count_attempt(attempt_at(account_id), at=now())


async def it_was_confirmed(world: World) -> None:
    await SecondFactor.all().update(confirmed_at=now())


async def it_never_began(world: World) -> None:
    await SecondFactor.all().delete()


async def the_caller_has_one_that_is_active(world: World) -> None:
    await a_pending_factor(world.caller.organization_id, world.people[-1])
    await it_was_confirmed(world)


async def a_second_factor_is_demanded(world: World) -> None:
    id = world.caller.organization_id
    await Organization.filter(id=id).update(demands_second_factor=True)


async def the_account_has_a_second_factor(world: World) -> None:
    account = await Account.get(email=await world.record("email of an account"))
    await a_pending_factor(account.organization_id, account.id)
    await it_was_confirmed(world)


REFUSALS = [
    Refusal(
        status=401,
        address="POST /v2/sessions",
        before=the_account_has_a_second_factor,
        meta={"motivo": "segundo_fator_exigido"},
        writes=True,
    ),
    Refusal(
        status=401,
        address="POST /v2/sessions",
        before=the_account_has_a_second_factor,
        change={"code": "a wrong code"},
        meta={"motivo": "segundo_fator_invalido"},
        writes=True,
    ),
    *(
        Refusal(status=403, address=address, by="key")
        for address in ("GET /v2/me/second-factor", ADD, CONFIRM, REMOVE)
    ),
    Refusal(
        status=409,
        address=ADD,
        before=the_caller_has_one_that_is_active,
        meta={"code": "SEGUNDO_FATOR_ATIVO"},
        writes=True,
    ),
    Refusal(
        status=409,
        address=CONFIRM,
        before=it_was_confirmed,
        meta={"code": "SEGUNDO_FATOR_ATIVO"},
        writes=True,
    ),
    *(
        Refusal(
            status=409,
            address=address,
            before=it_never_began,
            meta={"code": "SEGUNDO_FATOR_AUSENTE"},
            writes=True,
        )
        for address in (CONFIRM, REMOVE)
    ),
    *(
        Refusal(
            status=422,
            address=address,
            change={"code": "SEGREDO-4711"},
            meta={"code": "CODIGO_INCORRETO"},
            wrong={"/code": "CODIGO_INCORRETO"},
            writes=True,
        )
        for address in (CONFIRM, REMOVE)
    ),
    *(
        Refusal(
            status=422,
            address=address,
            change={"currentPassword": "SEGREDO-4711"},
            meta={"code": "SENHA_ATUAL_INCORRETA"},
            wrong={"/currentPassword": "SENHA_ATUAL_INCORRETA"},
            writes=True,
        )
        for address in (ADD, REMOVE)
    ),
    *(
        Refusal(
            status=429,
            address=address,
            before=before,
            meta={"code": "LOGIN_BLOQUEADO"},
            retry_after=True,
            writes=True,
        )
        for address, before in (
            (ADD, five_wrong_current_passwords),
            (CONFIRM, five_tries_at_the_code),
            (REMOVE, five_tries_at_the_code),
        )
    ),
    Refusal(
        status=409,
        address=SETTINGS,
        change={"demandsSecondFactor": True},
        meta={"code": "SEGUNDO_FATOR_PROPRIO_AUSENTE"},
    ),
    Refusal(
        status=403,
        address=SETTINGS,
        before=a_second_factor_is_demanded,
        meta={"code": "SEGUNDO_FATOR_OBRIGATORIO"},
    ),
    Refusal(
        status=409,
        address=INVITE,
        before=it_is_the_address_of_somebody,
        meta={"code": "EMAIL_JA_CADASTRADO"},
    ),
    Refusal(
        status=409,
        address=CHANGE,
        before=it_is_about_who_was_invited,
        change={"status": "active"},
        meta={"code": "CONVITE_PENDENTE"},
    ),
    Refusal(
        status=409,
        address=CHANGE,
        before=it_is_about_the_only_owner,
        change={"role": "admin"},
        meta={"code": "ULTIMO_PROPRIETARIO"},
    ),
    *(
        Refusal(
            status=403,
            address=address,
            before=only_an_admin_asks,
            change={"role": "owner"},
            meta={"code": "PAPEL_ACIMA_DO_PROPRIO"},
        )
        for address in (INVITE, CHANGE)
    ),
    Refusal(
        status=422,
        address=CHANGE,
        change={"suspenderChaves": True},
        wrong={"": "not_allowed"},
    ),
    Refusal(
        status=422,
        address=ACCEPT,
        change={"token": "of-nobody"},
        meta={"code": "LINK_INVALIDO"},
        writes=True,
    ),
    Refusal(
        status=429,
        address=ACCEPT,
        before=five_tries_at_an_invitation,
        meta={"code": "LOGIN_BLOQUEADO"},
        retry_after=True,
        writes=True,
    ),
    Refusal(
        status=422,
        address=INVITE,
        change={"email": "b***@padaria.test"},
        meta={"code": "VALOR_MASCARADO"},
        wrong={"/email": "VALOR_MASCARADO"},
    ),
    Refusal(
        status=422,
        address=RESET,
        change={"token": "of-nobody"},
        meta={"code": "LINK_INVALIDO"},
        writes=True,
    ),
    *(
        Refusal(
            status=429,
            address=address,
            before=before,
            meta={"code": "LOGIN_BLOQUEADO"},
            retry_after=True,
            writes=True,
        )
        for address, before in (
            (FORGOTTEN, five_letters_asked_for),
            (RESET, five_tries_at_a_link),
        )
    ),
    Refusal(
        status=422,
        address=FORGOTTEN,
        change={"email": "b***@padaria.test"},
        meta={"code": "VALOR_MASCARADO"},
        wrong={"/email": "VALOR_MASCARADO"},
    ),
    Refusal(status=401, address="GET /v2/me", by="nobody", meta={"motivo": "ausente"}),
    Refusal(
        status=401,
        address=LOG_IN,
        change={"password": "not the password"},
        meta={"motivo": "credenciais_invalidas"},
        writes=True,
    ),
    Refusal(status=403, address="DELETE /v2/sessions/current", by="key"),
    *(
        Refusal(status=403, address=address, by="key")
        for address in (ME, "GET /v2/sessions", "DELETE /v2/sessions/{id}")
    ),
    Refusal(
        status=403,
        meta={"code": "PAPEL_ACIMA_DO_PROPRIO"},
        proven_by="tests/core/organizations/test_own_sessions.py::test_an_admin_does_not_end_the_session_of_an_owner",
    ),
    Refusal(
        status=422,
        address=ME,
        change={**NEW_PASSWORD, "currentPassword": "SEGREDO-4711"},
        meta={"code": "SENHA_ATUAL_INCORRETA"},
        wrong={"/currentPassword": "SENHA_ATUAL_INCORRETA"},
        writes=True,
    ),
    Refusal(
        status=422,
        address=ME,
        change={"password": "a new password"},
        wrong={"/currentPassword": "required"},
    ),
    Refusal(
        status=429,
        address=ME,
        change=NEW_PASSWORD,
        before=five_wrong_current_passwords,
        meta={"code": "LOGIN_BLOQUEADO"},
        retry_after=True,
        writes=True,
    ),
    Refusal(
        status=422,
        address=LOG_IN,
        before=the_same_person_elsewhere,
        meta={"code": "ORGANIZACAO_AMBIGUA", "organizacoes": ...},
        writes=True,
    ),
    Refusal(
        status=422,
        address=LOG_IN,
        change={"email": "b***@padaria.test"},
        meta={"code": "VALOR_MASCARADO"},
        wrong={"/email": "VALOR_MASCARADO"},
    ),
    Refusal(
        status=429,
        address=LOG_IN,
        before=five_wrong_passwords,
        meta={"code": "LOGIN_BLOQUEADO"},
        retry_after=True,
        writes=True,
    ),
    Refusal(
        status=503,
        address=LOG_IN,
        proven_by="tests/core/organizations/test_sessions.py::test_more_log_ins_at_once_than_can_be_worked_out_are_refused_and_count_as_no_failure",
    ),
]

NAME: dict[str, Any] = {
    "takes": ["A", "n" * 120],
    "refuses": [("", "too_short"), (" ", "too_short"), ("n" * 121, "too_long")],
}
ROLES: dict[str, Any] = {
    "takes": ["owner", "admin", "operator"],
    "refuses": [("god", "not_allowed")],
}

LIMITS = [
    *(
        Limit(
            address=address, field="/code", refuses=[("12345", "too_short"), ("c" * 21, "too_long")]
        )
        for address in ("POST /v2/sessions", CONFIRM, REMOVE)
    ),
    *(
        Limit(
            address=address,
            field="/currentPassword",
            refuses=[("", "too_short"), ("p" * 1025, "too_long")],
        )
        for address in (ADD, REMOVE)
    ),
    *(Limit(address=address, field="/name", **NAME) for address in (INVITE, ACCEPT, CHANGE)),
    *(Limit(address=address, field="/role", **ROLES) for address in (INVITE, CHANGE)),
    Limit(
        address=INVITE,
        field="/email",
        refuses=[("ana", "wrong_format"), (f"{'a' * 254}@x", "too_long")],
    ),
    Limit(
        address=INVITE, field="/language", takes=["pt-BR", "en"], refuses=[("fr", "not_allowed")]
    ),
    Limit(
        address=CHANGE,
        field="/status",
        takes=["active", "suspended"],
        refuses=[("invited", "not_allowed")],
    ),
    Limit(address=ACCEPT, field="/token", refuses=[("", "too_short"), ("t" * 101, "too_long")]),
    Limit(
        address=ACCEPT,
        field="/password",
        takes=["8 signs.", "p" * 1024],
        refuses=[("7 signs", "too_short"), ("p" * 1025, "too_long")],
    ),
    Limit(
        address=FORGOTTEN,
        field="/email",
        refuses=[("ana", "wrong_format"), (f"{'a' * 254}@x", "too_long")],
    ),
    Limit(address=FORGOTTEN, field="/organizationId", refuses=[("o" * 31, "too_long")]),
    Limit(
        address=FORGOTTEN,
        field="/language",
        takes=["pt-BR", "en"],
        refuses=[("fr", "not_allowed")],
    ),
    Limit(address=RESET, field="/token", refuses=[("", "too_short"), ("t" * 101, "too_long")]),
    Limit(
        address=RESET,
        field="/password",
        takes=["8 signs.", "p" * 1024],
        refuses=[("7 signs", "too_short"), ("p" * 1025, "too_long")],
    ),
    Limit(
        address=ME,
        field="/name",
        takes=["A", "n" * 120],
        refuses=[("", "too_short"), (" ", "too_short"), ("n" * 121, "too_long")],
    ),
    Limit(
        address=ME,
        field="/password",
        change=NEW_PASSWORD,
        takes=["8 signs.", "p" * 1024],
        refuses=[("7 signs", "too_short"), ("p" * 1025, "too_long")],
    ),
    Limit(
        address=ME,
        field="/currentPassword",
        change=NEW_PASSWORD,
        refuses=[("", "too_short"), ("p" * 1025, "too_long")],
    ),
    Limit(
        address=LOG_IN,
        field="/password",
        refuses=[("", "too_short"), ("x" * 1025, "too_long"), ("p\x00q", "nul")],
    ),
    Limit(
        address=LOG_IN,
        field="/email",
        refuses=[("ana", "wrong_format"), (f"{'a' * 254}@x", "too_long")],
    ),
    Limit(address=LOG_IN, field="/env", takes=["live", "test"], refuses=[("prod", "not_allowed")]),
    Limit(address=LOG_IN, field="/organizationId", refuses=[("o" * 31, "too_long")]),
    Limit(
        address="GET /v2/accounts",
        field="?status",
        takes=["invited", "active", "suspended"],
        refuses=[("asleep", "not_allowed")],
    ),
    Limit(
        address="GET /v2/accounts",
        field="?role",
        takes=["owner", "admin", "operator"],
        refuses=[("god", "not_allowed")],
    ),
]


async def more_sessions(world: World, count: int) -> None:
    """So many that are open, of whoever asks."""
    if not world.people:
        await world.session()
    session = await Session.get(account_id=world.people[-1])
    await world.copies(session.id, count - 1, table="sessions", unique=("token_hash",))


PAGES = [
    Page(
        address="GET /v2/sessions",
        fill=more_sessions,
    ),
    Page(
        address="GET /v2/accounts",
        fill=lambda world, count: world.copies(
            world.caller.account_id or "", count - 1, table="accounts", unique=("email",)
        ),
    ),
]
