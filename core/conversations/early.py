"""Reports that know more than we do: of a message whose hand-over was not written down, they prove that it left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.conversations.addresses import identity_of
from core.conversations.reasons import Reason
from core.conversations.settle import Settlement, settle
from core.conversations.waiting import Waiting, take_away
from core.foundation import db
from core.messages import Status
from core.providers.platform import Taken


@dataclass(frozen=True, slots=True)
class Proof:
    """A (locked) message as it was, and what the first report on it says of its acceptance."""

    row: db.Row
    taken: Taken
    failed: bool
    at: datetime

    @property
    def is_news(self) -> bool:
        """It was still open, or counted as lost."""
        lost = self.row["status"] == Status.FAILED and self.row["reason"] == Reason.INDETERMINATE
        return self.row["status"] in (Status.QUEUED, Status.SENDING) or (lost and not self.failed)


async def take_rights(mentioned: Sequence[str]) -> dict[str, Waiting]:
    """Take the waiting rows, by message, of those that are to be tried once more: they left already. Belongs before
    any lock on messages.
    """
    again = await db.fetch(AGAIN, mentioned)
    taken = await take_away([row["id"] for row in again]) if again else []
    return {waiting.message_id: waiting for waiting in taken}


async def accept_early(proofs: Sequence[Proof], rights: Mapping[str, Waiting]) -> None:
    """Settle what is news as accepted, each at the time that its report tells, with its money and its event."""
    news = [proof for proof in proofs if proof.is_news]
    if news:
        await db.execute(REOPEN, [proof.row["id"] for proof in news])
    for proof in news:
        waiting = rights.get(proof.row["id"]) or await _as_it_waited(proof.row)
        await settle([Settlement(waiting, proof.taken, proof.at)])


async def _as_it_waited(row: db.Row) -> Waiting:
    """The waiting row that a message had, as far as settling needs it."""
    unified = await db.fetchval("SELECT unifies_ninth_digit FROM organizations WHERE id = $1", row["organization_id"])
    owner = (row["organization_id"], row["env"])
    sender = row["number_id"] or row["instagram_account_id"]
    identity = identity_of(row["channel"], owner[0], row["recipient"], unified=unified is not False)
    at: datetime = row["created_at"]
    return Waiting(row["id"], *owner, sender, identity, 0, force=False, is_marketing=False, due_at=at, created_at=at)


AGAIN = "SELECT id FROM messages WHERE id = ANY ($1) AND status = 'queued' AND attempts > 0"

REOPEN = "UPDATE messages SET status = 'sending', reason = NULL, failed_at = NULL WHERE id = ANY ($1)"
