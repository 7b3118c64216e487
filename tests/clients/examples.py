"""The example pages of GraphQL clients: their files, as a reader copies them into a folder."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from tests.clients.toolbox import finished
from tests.support.processes import ROOT

PAGES = sorted((ROOT / "docs/examples").glob("*.md"))
ORIGIN = "http://localhost:5173"
"""Where the pages say that they are."""
SERVICE = "http://127.0.0.1:8000"
"""Where they say that the service is."""
FILE = re.compile(
    r"^\*\*`(?P<name>[^`]+)`\*\*\n\n```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)

STRICT = {
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "skipLibCheck": True,
    "noEmit": True,
    "target": "es2022",
    "module": "esnext",
    "moduleResolution": "bundler",
    "lib": ["es2022", "dom", "dom.iterable"],
    "types": ["node"],
}
NODE = """import { tour } from "./contacts";
await tour(process.env.EMAIL!, process.env.PASSWORD!, console.log);
"""
"""The page's program without its page."""


@dataclass(frozen=True)
class Site:
    """A server of files: its address, and the folder that it shows."""

    url: str
    folder: Path


def files_of(page: Path) -> dict[str, str]:
    """The files of a page by their names."""
    return {found["name"]: found["text"] for found in FILE.finditer(page.read_text("utf-8"))}


def copy_out(page: Path, workshop: Path, folder: Path, *, service: str) -> None:
    """Write the files of a page into a folder that has the packages, with this service in them."""
    (folder / "node_modules").symlink_to(workshop / "node_modules")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "schema.graphql").write_bytes((ROOT / "graphql_api/schema.graphql").read_bytes())
    (folder / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": STRICT, "include": ["src"]})
    )
    for name, text in (files_of(page) | {"src/node.ts": NODE}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text.replace(SERVICE, service))


def build(folder: Path, workshop: Path) -> None:
    """Generate, check and bundle what was copied out: the page's program, and the one for Node.js."""
    programs = folder / "node_modules/.bin"
    if (folder / "relay.config.json").exists():
        finished([str(programs / "relay-compiler")], folder=folder)
        bundle = ["node", "build.mjs"]
    else:
        codegen = ["node", str(workshop / "codegen.mjs"), "src/contacts.ts", "src/gql/"]
        assert finished(codegen, folder=folder) == "", "it warns"
        bundle = [str(programs / "esbuild"), "--bundle", "--format=esm", "--outdir=public"]
    assert finished([str(programs / "tsc"), "-p", "."], folder=folder) == ""
    finished([*bundle, "src/main.ts", "src/node.ts"], folder=folder)
