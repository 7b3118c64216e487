"""A command imports what it needs: a package's re-exports wait until they are used, and are the
same then.
"""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from cli.lazy_packages import LazyPackage, exports_of
from tests.support.processes import ROOT, plain_environment
from tests.support.service import Service

HEAVY = {
    "aiobotocore", "aiohttp", "aiosmtplib", "arq", "asyncpg", "cryptography", "graphql", "httpx", "phonenumbers",
    "prometheus_client", "puremagic", "pydantic", "redis", "starlette", "stdnum", "strawberry", "structlog",
    "tortoise", "uvicorn", "uvloop",
}  # fmt: skip
OF_THE_DATABASE = {"asyncpg", "cryptography", "phonenumbers", "pydantic", "structlog", "tortoise"}
"""What a command that reads inputs and a table cannot do without."""

SOURCES = {
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
    for file in (ROOT / "core").rglob("*.py")
}
PACKAGES = {
    name: exports_of(file.read_bytes())
    for name, file in SOURCES.items()
    if file.name == "__init__.py"
}


TELL_MODULES = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps(list(sys.modules)), file=sys.stderr))
from cli.app import main
main()
"""


def imported_by(*words: str, environment: dict[str, str]) -> set[str]:
    """The modules that a command has imported at its end."""
    run = subprocess.run(
        [sys.executable, "-P", "-c", TELL_MODULES, *words],
        cwd=ROOT,
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return set(json.loads(run.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    "words", [("--help",), ("--version",), ("key", "--help"), ("key", "list", "--help")]
)
def test_what_only_explains_itself_imports_nothing_of_the_service(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    found = imported_by(*words, environment=plain_environment() | {"SVC_DATA_DIR": str(tmp_path)})

    assert "cli.app" in found
    assert found & HEAVY <= {"pydantic"}, "typer reads options with it"
    assert {name for name in found if name.startswith("core.foundation.")} <= {
        "core.foundation.version"
    }


async def test_a_command_imports_the_models_and_libraries_that_it_uses(service: Service) -> None:
    found = imported_by(
        "key", "list", "--org", service._known.organization_id, environment=service.environment
    )

    assert found & HEAVY == OF_THE_DATABASE
    assert {name for name in found if name.startswith("core.") and name.endswith(".models")} == {
        "core.cells.models",
        "core.organizations.models",
        "core.webhooks.models",
    }, "a key is told with its subscriptions, in the cell of its organization"


def test_each_package_of_core_only_re_exports() -> None:
    """What else stood there would not be executed."""
    for name in PACKAGES:
        for statement in ast.parse(SOURCES[name].read_bytes()).body:
            is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            is_all = (
                isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__"
            )
            assert is_text or is_all or isinstance(statement, ast.ImportFrom), (
                f"{name}: {ast.unparse(statement)}"
            )


def test_no_module_of_core_imports_itself_by_way_of_others() -> None:
    """So that it does not matter which of them is imported first: a package's order counts no more."""
    graph = {
        name: set(imports_of(file)) & (SOURCES.keys() - PACKAGES.keys())
        for name, file in SOURCES.items()
        if name not in PACKAGES
    }

    assert len(list(TopologicalSorter(graph).static_order())) == len(graph) > 400


def imports_of(file: Path) -> Iterator[str]:
    """The modules that one imports when it is executed, by where their names come from."""
    for statement in statements_of(ast.parse(file.read_bytes()).body):
        for alias in statement.names:
            if isinstance(statement, ast.Import):
                yield alias.name
            else:
                yield origin_of(statement.module or "", alias.name)


def statements_of(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If | ast.Try) and "TYPE_CHECKING" not in ast.unparse(node):
            yield from statements_of(node.body + node.orelse)


def origin_of(module: str, name: str) -> str:
    while (source := PACKAGES.get(module, {}).get(name)) and source[0] != module:
        module, name = source
    return f"{module}.{name}" if f"{module}.{name}" in SOURCES else module


NAMES = sorted((package, name) for package, exports in PACKAGES.items() for name in exports)

TELL_ALL = """
import json, sys
from importlib import import_module
from cli.lazy_packages import LazyPackage, import_lazily
from tests.cli.test_lazy_packages import NAMES, identity
ours = [name for name in sys.modules if name == "core" or name.startswith("core.")]
for name in ours:
    del sys.modules[name]
told = set()
import_lazily(told.add)
print(json.dumps({f"{package}.{name}": identity(package, name) for package, name in NAMES}))
assert type(sys.modules["core.webhooks"]) is LazyPackage
assert "core.webhooks.models" in told
"""


def identity(package: str, name: str) -> str:
    value = getattr(import_module(package), name)
    if isinstance(value, ModuleType):
        return f"module {value.__name__}"
    return f"{type(value).__name__} {getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"


def test_a_name_is_the_same_whether_it_is_imported_lazily_or_not() -> None:
    run = subprocess.run(
        [sys.executable, "-c", TELL_ALL],
        cwd=ROOT,
        env=plain_environment() | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stderr
    lazily = json.loads(run.stdout)
    assert lazily == {f"{package}.{name}": identity(package, name) for package, name in NAMES}
    assert len(lazily) > 500


def test_a_module_does_not_take_the_place_of_what_the_package_exports_by_its_name() -> None:
    package = LazyPackage("core.shop")
    package.__dict__["_exports"] = {
        "sell": ("core.shop.sell", "sell"),
        "till": ("core.shop", "till"),
    }

    package.sell = ModuleType("core.shop.sell")
    package.till = ModuleType("core.shop.till")

    assert "sell" not in vars(package), "the function of that name is meant"
    assert "till" in vars(package)
    with pytest.raises(AttributeError, match=r"core\.shop.*paint"):
        package.paint  # noqa: B018
