"""Finding the addresses in a text for a telephone.

What people expect of it: `http://`, `https://` and `www.` begin an address; the full stop of a
sentence and a closing bracket that was opened before the address do not belong to it; e-mail
addresses and bare names (`example.com`, which may as well be the end of one sentence and the start
of the next) stay as they are. Where in doubt the text stays untouched: a link that works uncounted
beats a link that was cut in two.

Every pattern is possessive or bounded: the time is linear in the text, however hostile.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator

from core.short_links.destination import ascii_host

_HOST = r"[^\x00-,/:-@\[-^`{-\x7f]{1,255}+"
_TEXT = r"""\x00-\x20"<>\\^`{|}\x7f"""
_PATTERN = re.compile(
    r"(?:"
    # Not in the middle of a word, of an address or of an e-mail address.
    r"(?P<scheme>(?<![^\W_])(?<![@/])[hH][tT][tT][pP][sS]?://)(?P<user>[A-Za-z0-9._~%!$&'()*+=:-]{1,128}+@)?+"
    r"|(?<![\w@./\\])(?<!\w-)(?=[wW]{3}\.)"
    r")"
    rf"(?P<host>{_HOST})"
    r"(?P<port>:[0-9]{1,5}(?!\w))?+"
    # People write `one,https://two`: a comma before the next address ends this one, unless it is in
    # a query.
    rf"(?P<tail>(?:/(?:[^{_TEXT},;?#]++|[,;](?!(?:[hH][tT][tT][pP][sS]?://|[wW]{{3}}\.)))*+)?+(?:[?#][^{_TEXT}]*+)?+)"
)

_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*\.?", re.IGNORECASE)
_REST_OF_EMAIL = re.compile(r"[\w.+%&'*=~!$-]{0,64}+@")

_CLOSING = {")": "(", "]": "["}
_NEVER_LAST = frozenset("([.,;:!?'*")
_HIGHEST_PORT = 65535


def replace_urls(text: str, short: Callable[[str], str]) -> str:
    """The text with each address replaced by `short(address)`."""
    parts, done = [], 0
    for start, end in _places(text):
        parts += [text[done:start], short(text[start:end])]
        done = end
    return "".join([*parts, text[done:]])


def find_urls(text: str) -> list[str]:
    """The addresses in the text as they are written, in their order."""
    return [text[start:end] for start, end in _places(text)]


def _places(text: str) -> Iterator[tuple[int, int]]:
    plain = _words_only(text)
    place = 0
    while found := _PATTERN.search(plain, place):
        end = _end_of(found)
        if end is not None:
            yield found.start(), end
        place = found.end() if end is None else end


def _words_only(text: str) -> str:
    """The text with a space for each sign beyond ASCII that is neither letter, digit nor mark.

    Emoji, curved quotes, full-width punctuation and invisible signs stand beside an address, hardly
    ever in it.
    """
    if text.isascii():
        return text
    others = {
        sign for sign in set(text) if sign > "\x7f" and not (sign.isalnum() or _is_mark(sign))
    }
    return text.translate(dict.fromkeys(map(ord, others), " "))


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign).startswith("M")


def _end_of(found: re.Match[str]) -> int | None:
    """Where the address ends, or None when it is none."""
    host, port, start = found["host"], found["port"], found.start("host")
    tail = _without_trailing_punctuation(found["tail"])
    if not tail and not port:
        host = host.rstrip(".-_")
    if not _is_host(host) or (port and int(port[1:]) > _HIGHEST_PORT):
        return None
    if found["scheme"] is None and not (_is_full_name(host) and not _is_email(found)):
        return None
    return start + len(host) + len(port or "") + len(tail)


def _is_host(host: str) -> bool:
    name = ascii_host(host)
    return name is not None and _NAME.fullmatch(name) is not None


def _is_full_name(host: str) -> bool:
    """`www.`, a name and a top-level domain; `www.x` and `www.3.14` are something else."""
    labels = host.rstrip(".").split(".")
    return len(labels) > 2 and len(labels[-1]) > 1 and not labels[-1].isdigit()


def _is_email(found: re.Match[str]) -> bool:
    return _REST_OF_EMAIL.match(found.string, found.end("host")) is not None


def _without_trailing_punctuation(tail: str) -> str:
    """The end of an address without the marks of the sentence around it; a bracket opened inside it
    stays closed.
    """
    spare = {
        closing: tail.count(closing) - tail.count(opening) for closing, opening in _CLOSING.items()
    }
    end = len(tail)
    while end:
        sign = tail[end - 1]
        if sign in spare:
            if spare[sign] <= 0:
                break
            spare[sign] -= 1
        elif sign not in _NEVER_LAST:
            break
        end -= 1
    return tail[:end]
