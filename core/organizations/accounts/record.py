"""An account as the interface spells it."""

from typing import Annotated, NotRequired, TypedDict

from core.foundation.records import Doc, Id, Instant, Masked, Page, Record, named
from core.foundation.security.masks import mask_email
from core.organizations.models import Account, AccountStatus, Role


@named(rest="Account", graphql="Account")
class AccountRecord(TypedDict):
    """A person who works for an organization, in both of its environments. Without pii:full the
    e-mail address is masked, but for one's own.
    """

    id: Annotated[Id, Doc("Names the person")]
    organizationId: Annotated[Id, Doc("Whom the person works for")]
    name: Annotated[str, Doc("What the person is called")]
    email: Annotated[
        str | None,
        Masked(mask_email),
        Doc("With which the person logs in; masked without pii:full"),
    ]
    role: Annotated[Role, Doc("What the person may do")]
    status: Annotated[AccountStatus, Doc("Whether the person can log in")]
    createdAt: Annotated[Instant, Doc("When the account came into being")]


ACCOUNT = Record(AccountRecord)


class InvitationRecord(TypedDict):
    """Somebody who was invited. Without an e-mail the answer has the link, to be handed over."""

    account: Annotated[AccountRecord, Doc("Who was invited; `invited` until the link is used")]
    letter: Annotated[bool, Doc("Whether the link went out by e-mail")]
    expiresAt: Annotated[Instant, Doc("Until when the link works")]
    link: NotRequired[
        Annotated[str, Doc("Where the person accepts; only where there is no e-mail")]
    ]


class AccountPage(Page[AccountRecord]):
    """Accounts in the order in which they came."""


def account_record(account: Account, *, whole: bool) -> AccountRecord:
    """The record; without `whole` the e-mail address is masked. What signs in is never shown."""
    return ACCOUNT.make(vars(account), unmasked=whole)
