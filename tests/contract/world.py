"""Where a row is replayed: one organization, its credentials, and somebody else's records."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

from core import organizations
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import IMPLIED, KEY_SCOPES, SESSION_ONLY, Caller, Env, Scope
from tests.factories.accounts import a_stored_account, a_stored_session
from tests.factories.live import a_live_caller
from tests.factories.organizations import a_caller, a_key
from tests.fakes.provider import ScriptedProvider

NO_ID = {
    "malformed": "x",
    "of another form": "x y'; --",
    "never given": "zzz_000000000000000000000",
}

NO_TEXT_OF_AN_ID = ("a\x00b", "\udcff\udced\udca0\udc80", "../x\n*", "m" * 5_000)
"""What a path may hold in place of an id; bytes that are no UTF-8 as `surrogateescape` writes them."""

ANY_METADATA: dict[str, Any] = {
    "pedido": "A-1042",
    "parcelas": 3,
    "valor": 19.9,
    "desconto": -0.05,
    "presente": True,
    "avisado": False,
    "vazio": "",
    "Loja.centro_sul-2": '«é, ß» 🎁 \\ "x" \t </a>',
    "maior": 2**53 - 1,
    "longo": "x" * 256,
}
"""What messages are sent with: a value of every kind."""


async def correlated(world: "World") -> dict[str, Any]:
    """All that a send may carry only to have it told again."""
    return {
        "metadata": ANY_METADATA,
        "contactId": await world.record("contact"),
        "campaignId": "outono",
    }


MAKERS: dict[str, Callable[[Caller], Awaitable[str]]] = {}
"""How records come into being, by the word of rows for them; `domains` gathers them from all rows.
"""


class World:
    """An organization in one environment. `records` are those that placeholders stand for, each
    made once.
    """

    def __init__(self, caller: Caller, provider: ScriptedProvider | None = None) -> None:
        self.caller = caller
        self.provider = provider or ScriptedProvider()
        self.records: dict[str, str] = {}
        self.notes: dict[str, Any] = {}
        """What a state of a machine wants to tell its causes."""
        self.stays = AsyncExitStack()
        """What is open until the row is replayed."""
        self.people: list[str] = []
        """Whoever has logged in here."""
        self.next_person: str | None = None
        """The owner who logs in next, where something happened to one before."""
        self.uses: dict[str, str] | None = None
        """The header that the next request carries instead of a good one."""

    @classmethod
    async def open(cls, env: Env = "test", provider: ScriptedProvider | None = None) -> "World":
        """A new organization, with money in either environment. `provider`: who takes its live
        messages.
        """
        return cls(await a_live_caller() if env == "live" else await a_caller(), provider)

    async def everything(self) -> None:
        """Make one record of every kind."""
        for word in MAKERS:
            await self.record(word)

    async def key(self, *, without: str | None = None) -> dict[str, str]:
        """The header of a key with every scope that a key can hold, or every one but this."""
        scopes = KEY_SCOPES
        if without is not None:
            implying = {scope for scope, implied in IMPLIED.items() if Scope(without) in implied}
            scopes -= {Scope(without), *implying}
        return bearer(
            await a_key(
                self.caller.env,
                scopes=scopes,
                organization_id=self.caller.organization_id,
                owner_id=self.caller.account_id,
            )
        )

    async def session(self, role: str = "owner") -> dict[str, str]:
        """The header of a session, opened without the work that a password is."""
        id = self.next_person if role == "owner" else None
        id = id or await self.person(role)
        self.people.append(id)
        _, token = await a_stored_session(self.caller.organization_id, id, env=self.caller.env)
        return bearer(token)

    async def person(self, role: str = "owner") -> str:
        """Somebody with PASSWORD, who has not logged in."""
        account = await a_stored_account(
            self.caller.organization_id, organizations.Role(role), f"{new_id('e')}@x.test"
        )
        return account.id

    async def credential(self, by: str) -> dict[str, str]:
        """The header of who may do everything that this kind of caller may."""
        match by:
            case "key":
                return await self.key()
            case "session":
                return await self.session()
        return {}

    async def without(self, scope: str) -> dict[str, dict[str, str]]:
        """The headers of callers that lack the scope."""
        if Scope(scope) in SESSION_ONLY:
            return {
                "a key with all scopes": await self.key(),
                "an operator": await self.session("operator"),
            }
        return {"a key": await self.key(without=scope)}

    def without_pii(self) -> Caller:
        """The caller, who sees masked phones only."""
        return replace(self.caller, scopes=self.caller.scopes - {Scope.PII_FULL})

    def in_the_other_environment(self) -> Caller:
        """The same organization."""
        return replace(self.caller, env="live" if self.caller.env == "test" else "test")

    async def fill(self, value: Any) -> Any:
        """The value with every `<word>` replaced; records that are missing are made."""
        match value:
            case str() if value.startswith("<") and value.endswith(">"):
                return await self.record(value[1:-1])
            case Mapping():
                return {name: await self.fill(item) for name, item in value.items()}
            case list():
                return [await self.fill(item) for item in value]
        return value

    async def record(self, word: str) -> str:
        """What the word stands for."""
        if word not in self.records:
            self.records[word] = await self.make(word, self.caller)
        return self.records[word]

    async def make(self, word: str, caller: Caller) -> str:
        """A new record of this caller's."""
        return await MAKERS[word](caller)

    async def rows(self, word: str, count: int, *, table: str, unique: Sequence[str] = ()) -> None:
        """So many records that the word stands for."""
        await self.copies(await self.record(word), count - 1, table=table, unique=unique)

    async def copies(self, id: str, count: int, *, table: str, unique: Sequence[str] = ()) -> None:
        """Rows like that one, each with an id of its own and with its own values of the unique
        columns.
        """
        place = "lpad(n::text, 8, '0')"
        changed = ["'id', left(t.id, 4) || 'copy' || " + place]
        for column in unique:
            was = f"to_jsonb(t) ->> '{column}'"
            # In what is written in hexadecimal, digits behind the mark may be exchanged and all
            # others stay.
            changed.append(f"'{column}', left({was}, greatest(length({was}) - 8, 4)) || {place}")
        await db.execute(
            f"/* whole */ INSERT INTO {table} SELECT r.* FROM {table} t, generate_series(1, $2::int) AS n, "
            f"LATERAL jsonb_populate_record(t, jsonb_build_object({', '.join(changed)})) AS r WHERE t.id = $1",
            id,
            count,
        )

    async def strange_ids(self, word: str, *, both_environments: bool) -> dict[str, str]:
        """Ids that are not for this caller to know."""
        strangers = {"another organization's": await a_caller(self.caller.env)}
        if not both_environments:
            strangers["the other environment's"] = self.in_the_other_environment()
        return {
            **NO_ID,
            **{whose: await self.make(word, caller) for whose, caller in strangers.items()},
        }


def bearer(token: str) -> dict[str, str]:
    """The header of a credential."""
    return {"Authorization": f"Bearer {token}"}
