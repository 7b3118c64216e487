"""The question whether an address opted out, as the SQL condition that every statement asks."""

EVERY_CHANNEL = "todos"
"""The category of a denial that counts on all channels."""


def opted_out(owner: str, channel: str, identities: str) -> str:
    """The condition that somebody said no to messages on a channel, or on all.

    `owner`: the row that `organization_id` and `env` are read from. `channel`: an SQL expression.
    `identities`: what stands in an IN list, or a query of its own: the hashes of the address and of
    the contact that is written to.
    """
    return (
        f"EXISTS (SELECT FROM contact_denials AS denial "
        f"WHERE denial.organization_id = {owner}.organization_id AND denial.env = {owner}.env "
        f"AND denial.channel IN ({channel}, '{EVERY_CHANNEL}') AND denial.identity IN ({identities}))"
    )
