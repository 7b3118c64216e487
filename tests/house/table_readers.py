"""Who looks into tables of others, and why: every exception from «a package owns its tables».

A package reads its own tables and asks others through their functions. Where that would cost a round trip, a second
lock or a row at a time, its SQL reads the table of a package below it, and stands here with the reason.
"""

from tests.house.table_uses import Taker

OUTSIDE_THE_MODELS = {
    "webhook_feed": "core.webhooks",
    "webhook_feed_heads": "core.webhooks",
    "inbound_message_keys": "core.partitions",
    "journey_effects": "core.journeys",
    "journey_trail": "core.journeys",
    "migration_steps": "core.foundation",
    "tortoise_migrations": "core.foundation",
}
"""Tables without a model, and who owns them."""

ABOVE_ALL = {
    "core.read_models": "what GraphQL, the timeline and statistics show hangs together across all domains",
    "cli.seed": "a year of the past at once, which no use case would write",
    "core.operations": "what an operator is shown, or sets up, of the whole service",
}
"""Whoever is named here reads every table; cli.seed also writes them."""

WRITES_EVERYTHING = {"cli.seed"}

OTHER_PROGRAMS = {"cli.gateway_example": "a gateway keeps tables of its own, in SQLite"}
"""Packages whose SQL speaks to another database."""

READS: dict[str, dict[str, str]] = {
    "core.cards": {
        "accounts": "the name that an entry of the history keeps is copied in the statement that writes it",
        "pipeline_stages": "cards are shown with their stage, and moved under its rules",
        "contacts": "whether what a card names is there, held against deletion",
        "messages": "whether what a card names is there, held against deletion",
    },
    "core.companies": dict.fromkeys(
        ("cards", "contacts"), "a company is shown with what is counted of both, in one statement"
    ),
    "core.conversations": {
        "accounts": "the names of those who sent a page of messages",
        "contacts": "references of a batch become contacts and phones in one statement",
        "instagram_accounts": "the senders of a batch of notices, and of the queue, in one statement",
        "message_counts": "totals of its list",
        "message_receipts": "which reports of a batch are already logged",
        "messages": "its list, and what is checked, sent again and counted of a batch at once",
        "numbers": "the senders of a batch of notices, and of the queue, in one statement",
        "organizations": "whether a mobile has one form, for a batch of several organizations",
        "templates": "whether a template is still approved, asked in the statement that hands over",
        "waiting_messages": "which senders have something due, and whose marketing waits",
    },
    "core.customer_events": {
        "contacts": "an event names its contact by any identifier, one index each",
        "messages": "the last message before the event, to which it is attributed",
    },
    "core.email": {
        "contacts": "whose address it is, asked for a whole batch at once",
        "message_counts": "totals of its list",
        "messages": "its list, and the letters of a batch of reports",
        "short_links": "the sandbox opens the first link of each letter",
    },
    "core.exports": {
        "contacts": "a page of messages with their contacts",
        "messages": "a page of messages with their contacts",
    },
    "core.flows": {
        "numbers": "a flow belongs to a number of the same owner; notices name the number's account",
    },
    "core.journeys": {
        "contacts": "who comes in, and whom a step is about, a thousand in one statement",
        "customer_events": "what came since a run went to wait, a thousand in one statement",
        "contact_list_members": "who is on the list that a journey begins with, in the statement that enrols them",
        "contact_lists": "whether what a journey names is there",
        "messages": "what became of the messages that runs wait for, a thousand in one statement",
        "webhook_deliveries": "what became of the calls that runs wait for, a thousand in one statement",
        "numbers": "whether what a journey names is there",
        "pipeline_stages": "whether what a journey names is there",
        "pipelines": "whether what a journey names is there",
        "segments": "whether what a journey names is there",
        "templates": "whether what a journey names is there",
    },
    "core.lists": {
        "contacts": "identifiers become members in one statement, one index each",
    },
    "core.media": {
        "messages": "whose file it is, and whether others were sent it too",
        "numbers": "files are uploaded to a number",
    },
    "core.messaging": {
        "contact_denials": "asked for a whole batch at once",
        "contacts": "whose number it is, asked for a whole batch at once",
        "wallet_transfers": "what a reply cost stands only in the books",
    },
    "core.moves": {
        "tortoise_migrations": "whether the two cells of a move have the same",
    },
    "core.partitions": {
        "closed_hours": "a month leaves when all of its hours are closed",
        "messages": "the months of the table",
    },
    "core.privacy": dict.fromkeys(
        (
            "contact_consents",
            "contact_denials",
            "contact_list_members",
            "contact_lists",
            "customer_events",
            "email_suppressions",
            "journey_runs",
            "journeys",
            "messages",
            "sandbox_reports",
            "short_links",
            "waiting_messages",
        ),
        "an export holds all that is known of a person, and an erasure locks it",
    ),
    "core.push": {
        "contact_denials": "whom a push passes over, in the statement that looks for them",
        "contacts": "the audience of a push is a statement over devices, contacts and denials",
        "wallets": "how many devices the balance pays for, before they are written",
    },
    "core.quoting": dict.fromkeys(
        ("contacts", "contact_lists", "contact_list_members"),
        "how many contacts of a segment or a list have an address, counted in one statement",
    ),
    "core.rcs": {"messages": "its list, and what it locks to apply a report or to go on by SMS"},
    "core.sandbox_clock": {
        "organization_gates": "whose rows workers leave alone, in the question that they ask each second"
    },
    "core.segments": dict.fromkeys(
        (
            "card_contacts",
            "cards",
            "contact_list_members",
            "contacts",
            "customer_events",
            "messages",
            "short_links",
        ),
        "a segment is one condition over contacts and all that is known of them",
    ),
    "core.short_links": {
        "messages": "a click tells the campaign of its message",
    },
    "core.smpp": {
        "messages": "the text of a reply that is delivered, which is kept once; whom a receipt is about",
    },
    "core.sms": {
        "message_counts": "totals of its list",
        "messages": "its list and its replies, and what a report is about",
    },
    "core.templates": {
        "flows": "a button of a template opens a flow",
        "numbers": "a template belongs to a number of the same owner; notices name the number's account",
    },
    "cli.session": {
        "organizations": "who logs in at the terminal is shown the organization's name"
    },
}
"""Reads of tables of packages below, for each reader and table the reason."""

TAKERS = {
    "newest_records": Taker("table"),
    "newest_uncounted": Taker("table"),
    "text_in_full": Taker("table"),
    "Entity": Taker("table"),
    "DueQueue": Taker("table"),
    "copy_in": Taker("table", writes=True),
    "Lease": Taker("table", writes=True),
    "free_names": Taker("table"),
    "write_chunks": Taker("table"),
    "RowsBeside": Taker("table", writes=True),
}
"""Functions and classes that are told a table: it is used where they are called."""

FILLED: dict[tuple[str, str], tuple[str, ...]] = {
    ("core/journeys/links.py", "table"): (
        "segments",
        "contact_lists",
        "templates",
        "numbers",
        "pipelines",
    ),
    ("core/journeys/entry/present.py", "table"): (
        "segment_members",
        "contact_list_members",
    ),
    ("core/cards/links.py", "table"): ("contacts", "messages"),
    ("core/push/queries.py", "table"): ("push_dispatches", "push_devices"),
}
"""Names that a program fills into SQL of one file: which tables they may be."""

NOT_OF_THE_READER = {
    "core/cells/move/copying.py": "the tables of an organization that moves, one after the other",
    "core/cells/move/tables.py": "the same",
    "core/cells/move/verify.py": "the same",
    "core/moves/mover.py": "the same",
    "cli/seed/chunks.py": "write_chunks: its callers name the table",
    "cli/seed/names.py": "free_names: its callers name the table",
    "cli/session.py": "_cell: the command names the table of its row",
    "core/companies/write.py": "_recordset: rows that were sent",
    "core/contacts/write.py": "_recordset: rows that were sent",
    "core/email/senders/queries.py": "SENDERS: both tables of senders as one",
    "core/foundation/database/leases.py": "Lease: its callers name the table",
    "core/foundation/database/migration_steps.py": "migrations build the tables of all",
    "core/foundation/database/on_node.py": "call_of: a function that stands for a statement",
    "core/messaging/accept_statement.py": "{given.source}: the rows of its parameter",
    "core/messaging/batch_lock.py": "a query of the statement that accepts sends",
    "core/messaging/insert.py": "{given.source}: the rows of its parameter",
    "core/operations/table_sums.py": "SUMS: every table in turn",
    "core/foundation/records/page.py": "newest_records and newest_uncounted: their callers name the table",
    "core/foundation/database/pages.py": "text_in_full: its callers name the table",
    "core/foundation/database/rows_beside.py": "RowsBeside: whoever declares one names the table",
    "core/wallet/send_sql.py": "names of queries of the statement that accepts sends",
    "core/operations/queues.py": "DueQueue: its callers name the table",
    "core/sandbox_clock/reset.py": "a sandbox is emptied table by table, whatever they are",
    "core/read_models/card_records.py": "{t} is an alias of the query compiler",
    "core/read_models/query_compiler/pages.py": "a long text is looked up where its own list stands",
    "core/read_models/query_compiler/statement.py": "Entity: its callers name the table",
    "core/read_models/statistics/message_stats.py": "{open}: stretches of time",
    "core/media/expire_unused.py": "a detached month of messages",
    "core/messaging/counts.py": "a month of messages that is being detached",
    "core/partitions/add_months.py": "a month's rows move between a table and its partitions",
    "core/partitions/enable.py": "a table becomes its own first partition",
    "core/partitions/finish.py": "a detached month",
    "core/partitions/parquet.py": "a detached month",
    "core/partitions/retention.py": "a month is detached when nothing in it waits",
    "core/partitions/status.py": "rows of months that nobody added",
}
"""Files whose SQL has a hole where a table belongs, with what stands in it."""
