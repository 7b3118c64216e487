"""As much of curl as the pages use, on every machine the same. What was answered is also written to
EXCHANGES.
"""

import argparse
import http.client
import json
import os
import sys
from pathlib import Path
from urllib.parse import quote, urlsplit

parser = argparse.ArgumentParser(prog="curl", allow_abbrev=False)
parser.add_argument("-s", "--silent", action="store_true")
parser.add_argument("-S", "--show-error", action="store_true")
parser.add_argument("-i", "--include", action="store_true")
parser.add_argument("-o", "--output")
parser.add_argument("-X", "--request")
parser.add_argument("-H", "--header", action="append", default=[])
parser.add_argument("-d", "--data")
parser.add_argument("--data-binary")
parser.add_argument("-G", "--get", action="store_true")
parser.add_argument("--data-urlencode", action="append", default=[])
parser.add_argument("-b", "--cookie")
parser.add_argument("-c", "--cookie-jar")
parser.add_argument("url")
asked = parser.parse_args()

url = urlsplit(asked.url)
assert url.hostname == "127.0.0.1", "examples call this machine only"
headers = {"Accept": "*/*"}


def content_of(word: str) -> bytes:
    """A body as it stands, from a file (`@name`) or from what was piped (`@-`)."""
    if not word.startswith("@"):
        return word.encode()
    return sys.stdin.buffer.read() if word == "@-" else Path(word[1:]).read_bytes()


content = None
if asked.data is not None:
    content = content_of(asked.data)
    if asked.data.startswith("@"):
        content = content.translate(None, b"\r\n\0")  # as curl does
if asked.data_binary is not None:
    content = content_of(asked.data_binary)
if content is not None:
    headers["Content-Type"] = "application/x-www-form-urlencoded"
headers |= {
    name: value.strip() for name, _, value in (header.partition(":") for header in asked.header)
}
if asked.cookie is not None:
    headers["Cookie"] = Path(asked.cookie).read_text(encoding="utf-8")
method = asked.request or ("POST" if content is not None else "GET")

connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
encoded = [
    f"{name}={quote(value)}"
    for name, _, value in (word.partition("=") for word in asked.data_urlencode)
]
assert bool(encoded) == asked.get, "pages encode parameters of a GET alone"
query = "&".join([url.query] * bool(url.query) + encoded)
target = url.path + (f"?{query}" if query else "")
connection.request(method, target, body=content, headers=headers)
answer = connection.getresponse()
body = answer.read().decode()

with Path(os.environ["EXCHANGES"]).open("a", encoding="utf-8") as exchanges:
    exchanges.write(
        json.dumps({"method": method, "target": target, "status": answer.status, "body": body})
        + "\n"
    )
if asked.cookie_jar is not None:
    kept = [one.partition(";")[0] for one in answer.headers.get_all("Set-Cookie", [])]
    Path(asked.cookie_jar).write_text("; ".join(kept), encoding="utf-8")
if asked.include:
    sys.stdout.write(f"HTTP/1.1 {answer.status} {answer.reason}\n{answer.headers}")
if asked.output is None:
    sys.stdout.write(body)
else:
    Path(asked.output).write_text(body, encoding="utf-8")
