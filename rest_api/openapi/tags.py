"""The sections of the reference, in the order in which an integrator meets them."""

TAGS = {
    "SMS": (
        "Send texts, preview their price, read what became of them, read replies. A send answers "
        "once the provider "
        "accepted; how the delivery went arrives as a webhook."
    ),
    "SMPP": (
        "Accounts by which clients of SMPP bind and send, their binds, and the receipts and replies "
        "that wait for them."
    ),
    "RCS": (
        "Send a text or a card with buttons, let an SMS stand in where a phone has no RCS, and "
        "read which way each "
        "message took. A send answers once the provider accepted; the rest arrives as webhooks."
    ),
    "Push": (
        "Register the devices of your apps, send notifications to a segment or to devices, and "
        "read how they fared. "
        "With a test key, a token that ends in `:fail` fails, `:gone` is deactivated, `:silent` "
        "never answers; any "
        "other is delivered."
    ),
    "Numbers": (
        "The numbers that conversations leave from: how the platform rates them, how they fare "
        "at this moment, and "
        "what they sent."
    ),
    "Media": (
        "Files of conversations: uploaded once and sent as often as wanted, and those of every "
        "message, either way."
    ),
    "Messages": (
        "Conversations on WhatsApp and Instagram: send one message or a template to a thousand, "
        "read what is said, and "
        "what became of what was sent."
    ),
    "Email": (
        "Send e-mails, with files, tracked links and one-click unsubscribing, and read what "
        "became of them. An e-mail "
        "is accepted at once and leaves afterwards; bodies are never read back."
    ),
    "Templates": (
        "Messages that may open a conversation: written here, approved by the platform, sent "
        "with their variables "
        "filled in."
    ),
    "Flows": "Forms of several screens inside a conversation: written, looked through, "
    "published, sent.",
    "Exports": "All conversational messages of a period, page after page.",
    "Contacts": "The people that messages are addressed to: who they are, and what they "
    "consented to.",
    "Lists": "Static lists: contacts that were placed there.",
    "Journeys": "Automations over contacts, step by step: stored and checked; running them is "
    "still to come.",
    "Segments": "Dynamic segments: the contacts that match a filter at this moment.",
    "Decisions": "Why a message was sent, or why not: rule by rule, and what to do about it.",
    "Customer events": "What customers did outside messaging, attributed to the last message "
    "that touched them.",
    "Companies": "Companies that contacts work for and deals are made with, and what their "
    "attributes have to be.",
    "Pipelines": "Ways that deals go, stage by stage, the reasons for losing, and what became of "
    "the deals in numbers.",
    "Cards": "Deals on their way through a pipeline, with activities, files and a history of "
    "every move.",
    "Short links": "Links in texts that were sent with `trackLinks`, and who opened them.",
    "Quotes": "Prices that are promised until a time, and kept: no send by a quote pays more.",
    "Webhooks": (
        "Addresses of yours that are told what happens, each with a secret of its own. What is "
        "delivered stands below "
        "under *Events*."
    ),
    "Events": "What the service sends to your endpoints. Each body is signed; each event comes "
    "at least once.",
    "Wallet": "Balances, every movement, a proof that both agree, and the price list. 1 coin = "
    "0.0001 BRL.",
    "API keys": "Issue, narrow, rotate and revoke keys. For sessions only: no key can make "
    "another.",
    "Accounts": "Who the credential is, logging in and out, and the people of the organization.",
    "Audit": "Who did what and when, in the organization's own trail.",
    "Sandbox": "For test keys: what in production only the outside world can do.",
}
