"""Attribution: the advertisement or link that a received message came from (`origemDoLink`).

Three things tell: the platform's own description of an advertisement (`referral`), the address that
the person came from, with the customary names in its query, and a mark in the text itself, which
whoever makes a link with a text in it puts there: the same names in square brackets,
`[utm_source=google&utm_campaign=natal]`.
"""

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

MAX_VALUE_LENGTH = 200
MAX_ADDRESS_LENGTH = 2_048
OTHER = "outra"

SOURCES = {
    "google": "google",
    "adwords": "google",
    "googleads": "google",
    "youtube": "google",
    "meta": "meta",
    "facebook": "meta",
    "fb": "meta",
    "instagram": "meta",
    "ig": "meta",
    "tiktok": "tiktok",
    "tt": "tiktok",
}
"""What advertisers call the three sources that have a name of their own."""

CLICKS = {
    "gclid": "google",
    "gbraid": "google",
    "wbraid": "google",
    "fbclid": "meta",
    "ctwa_clid": "meta",
    "ttclid": "tiktok",
}
"""Click ids, and whose they are."""

NAMES = {
    "campanha": ("campanha", "utm_campaign"),
    "grupo": ("grupo", "utm_group", "utm_adgroup"),
    "anuncio": ("anuncio", "utm_content"),
    "palavraChave": ("palavraChave", "utm_term"),
    "codigo": ("codigo", *CLICKS, "ref"),
}
"""The fields, and the names under which their value may come; the first that is there counts."""

_MARK = re.compile(r"\[([A-Za-z_]{2,20}=[^\[\]]{1,500})\]")


def link_origin(referral: Mapping[str, object] | None, text: str | None) -> dict[str, str] | None:
    """`{fonte, fonteRotulo?, campanha?, grupo?, anuncio?, palavraChave?, codigo?}`, or None where
    nothing tells.
    """
    if referral:
        return _origin(_names_of(referral))
    marked = _MARK.search(text) if text else None
    return _origin(_pairs(marked[1])) if marked else None


def _names_of(referral: Mapping[str, object]) -> dict[str, str]:
    """The platform's own words go before those in the address."""
    own = {name: value for name, value in referral.items() if isinstance(value, str)}
    names = {**_pairs(_query_of(own.get("source_url", ""))), **own}
    # `source_type` and `ctwa_clid` come with numbers, `source` with Instagram accounts.
    if {"source_type", "ctwa_clid", "source", "ad_id"} & own.keys():
        names.setdefault("fonte", "meta")
        names["utm_content"] = (
            own.get("ad_id") or (own.get("source_type") == "ad" and own.get("source_id")) or ""
        )
    return names


def _origin(names: Mapping[str, str]) -> dict[str, str] | None:
    found = _fields(names)
    said = (names.get("fonte") or names.get("utm_source") or "").strip()
    label = said if said != OTHER else names.get("fonteRotulo", "").strip()
    source = _known_source(said, names)
    if source is not None:
        return {"fonte": source, **found}
    if label:
        return {"fonte": OTHER, "fonteRotulo": label[:MAX_VALUE_LENGTH], **found}
    return {"fonte": OTHER, **found} if found or said else None


def _fields(names: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for field, spellings in NAMES.items():
        texts = (names.get(name, "").strip() for name in spellings)
        if value := next(filter(None, texts), ""):
            found[field] = value[:MAX_VALUE_LENGTH]
    return found


def _known_source(said: str, names: Mapping[str, str]) -> str | None:
    """One of the three sources that have a name of their own."""
    if said == OTHER:
        return None
    return SOURCES.get(re.sub(r"[^a-z]", "", said.lower())) or _whose_click(names)


def _whose_click(names: Mapping[str, str]) -> str | None:
    return next((whose for click, whose in CLICKS.items() if names.get(click)), None)


def _pairs(query: str) -> dict[str, str]:
    """The first of a repeated name counts. Whoever wrote `%00` is heard all the same: the database
    takes no NUL.
    """
    return {name: value.replace("\x00", "\ufffd") for name, value in reversed(parse_qsl(query))}


def _query_of(address: str) -> str:
    """What is too long is cut: Python remembers what it splits, and the address comes from a
    stranger's message.
    """
    try:
        return urlsplit(address[:MAX_ADDRESS_LENGTH]).query
    except ValueError:
        return ""
