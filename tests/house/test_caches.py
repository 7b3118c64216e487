"""Everything that a process remembers has an end: each memory of the code is named here, with what
bounds it.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("core", "graphql_api", "rest_api", "smpp_api", "workers", "cli")

DECORATORS = {"lru_cache", "cache", "cached_property"}
CONTAINERS = {
    "dict",
    "list",
    "set",
    "OrderedDict",
    "defaultdict",
    "deque",
    "WeakValueDictionary",
    "WeakKeyDictionary",
}

OF_THE_CODE = "its keys are names, types or classes of our code"
OF_THE_CELLS = "one for each cell of the installation"
OF_THE_SETTINGS = "one of each process: its key is made of the settings"

ENTRIES_AND_BYTES: dict[str, tuple[int, int]] = {
    "core.email.outgoing.mime:_date": (64, 300),
    "core.foundation.moved_clocks:_variant": (128, 5_000),
    "core.numbers.health_cache:_cache": (5_000, 4_000),
    "core.organizations.addresses:_read": (4_096, 800),
    "core.organizations.authenticate:_digest": (4_096, 800),
    "core.foundation.security.secrets:_begun": (8, 600),
    "core.providers.amazon.signer:_key": (16, 400),
    "core.providers.gateway.exchange:_timeouts": (8, 500),
    "core.sms.encoding:_equivalent": (4_096, 400),
    "core.webhooks.delivery.attempt:_secret": (4_096, 1_200),
    "graphql_api.cost:_accounts": (10_000, 500),
    "graphql_api.cost:_buckets": (20_000, 500),
}
"""Bounded by a number of entries whose size has a bound of its own: at most so many, of at most so
many bytes.
"""

FIXED: dict[str, str] = {
    "core.cells.move.under_way:_answers": "the organizations that are moved right now",
    "core.foundation.moved_clocks:_left_alone": OF_THE_CELLS,
    "graphql_api.enums:enum_of": OF_THE_CODE,
    "graphql_api.records:type_of": OF_THE_CODE,
    "rest_api.support.operations:_has_warnings": OF_THE_CODE,
    "rest_api.support.record_shapes:_made": OF_THE_CODE,
    "core.foundation.database.bounded_pool:_silences": OF_THE_CELLS,
    "core.foundation.database.cell:_clients": OF_THE_CELLS,
    "core.foundation.database.db:_distributed": OF_THE_CELLS,
    "core.foundation.database.db:_silent_until": OF_THE_CELLS,
    "core.foundation.database.on_node:_accepted": "MAX_ACCEPTED statements",
    "core.foundation.database.on_node:_learned": "MAX_LEARNED statements",
    "core.messaging.batch_lock:_locks": OF_THE_CELLS,
    "core.organizations.last_use:_noted": "of each cell what was used in the last moment, until it is written",
    "core.organizations.last_use:_writers": OF_THE_CELLS,
    "core.foundation.observability.outage_log:_told_at": "the kinds of lines",
    "core.foundation.observability.outage_log:_untold": "the kinds of lines",
    "core.contacts.consent_log:_on_opt_out": OF_THE_CODE,
    "core.decisions.keep_refusals:_witnesses": "one for each rule that somebody explains, when modules are imported",
    "core.cells.keys:_readers": OF_THE_CODE,
    "core.contacts.company:_holders": OF_THE_CODE,
    "core.customer_events.record_event:_name_run": OF_THE_CODE,
    "core.messaging.announce:_on_journey_messages": OF_THE_CODE,
    "core.contacts.conditions:_on_list": OF_THE_CODE,
    "core.segments.uses:_uses": OF_THE_CODE,
    "core.foundation.files.partial_uploads:_looked": OF_THE_SETTINGS,
    "core.foundation.moved_clocks:_held": "the organizations that have a row for their clock",
    "core.foundation.ids:_ready": "what was drawn together, until it is used",
    "core.foundation.turns:_steps": "one for each event loop",
    "core.foundation.turns:_waiting": "long work under way, of which an organization has few places",
    "core.foundation.records.shape:keys_of": OF_THE_CODE,
    "core.foundation.validation.inputs:closed_sets": OF_THE_CODE,
    "core.foundation.validation.inputs:query_names": OF_THE_CODE,
    "core.foundation.validation.inputs:repeatable_names": OF_THE_CODE,
    "core.foundation.validation.raw_items:_field_in_parts": OF_THE_CODE,
    "core.foundation.validation.raw_items:_field_of_items": OF_THE_CODE,
    "core.foundation.jobs:_gathered": OF_THE_CODE,
    "core.foundation.jobs:_tasks": "tasks under way",
    "core.foundation.security.keyring:keyring": OF_THE_SETTINGS,
    "core.foundation.language.translate:portuguese": OF_THE_CODE,
    "core.foundation.http_client.shared:_clients": OF_THE_SETTINGS,
    "core.foundation.http_client.connecting:_usual_tls": "whom the machine trusts, once",
    "core.foundation.settings.read:current": OF_THE_SETTINGS,
    "core.foundation.validation.time_zones:_zones": "one set, of the machine's time zones",
    "core.media.receive:_organization_slots": "weak: only what is under way",
    "core.messaging.delivery_reports.receive:_applied_by": OF_THE_CODE,
    "core.messaging.message_channel:_registered": OF_THE_CODE,
    "core.providers.registry:_by_route": OF_THE_SETTINGS,
    "core.messaging.accept_statement:_values_of": OF_THE_CODE,
    "core.messaging.accept_statement:batch_rows_of": OF_THE_CODE,
    "core.messaging.accept_statement:statement_of": OF_THE_CODE,
    "core.messaging.queue.accept:queued": OF_THE_CODE,
    "core.messaging.insert:_insert": OF_THE_CODE,
    "core.messaging.insert:_write": OF_THE_CODE,
    "core.providers.registry:_named": OF_THE_SETTINGS,
    "core.providers.registry:_serving": OF_THE_SETTINGS,
    "core.webhooks.outbound_policy:policy": OF_THE_SETTINGS,
    "cli.seed.sms.draw:encoded_text": "texts of ours, in the command `svc seed` alone",
    "graphql_api.cost:_settling": "tasks under way",
    "graphql_api.subscriptions.shared:streams": "subscriptions under way, of open sockets",
    "graphql_api.inputs:_enums": OF_THE_CODE,
    "graphql_api.inputs:_inputs": OF_THE_CODE,
    "graphql_api.inputs:_shapes": OF_THE_CODE,
    "graphql_api.inputs:_names": OF_THE_CODE,
    "graphql_api.subscriptions.operations:_running": "tasks under way",
    "rest_api.console.page:_files": OF_THE_CODE,
    "rest_api.console.page:_page": OF_THE_CODE,
    "rest_api.console.page:documents": OF_THE_CODE,
    "rest_api.home.page:_as_json": OF_THE_SETTINGS,
    "rest_api.home.page:_as_page": "one for each language",
    "rest_api.problems.content:slugs": OF_THE_CODE,
    "rest_api.problems.pages:_index": OF_THE_CODE,
    "rest_api.problems.pages:_page": "as many as there are codes: a name is looked up before",
    "rest_api.support.consumer_pages:_page": "sentences of ours, in each language",
    "rest_api.support.prepared:cache(...)": "one answer of each address of ours",
    "rest_api.support.static_pages:files": OF_THE_CODE,
    "rest_api.support.static_pages:_page": OF_THE_CODE,
    "rest_api.webhooks.event_types:event_types": OF_THE_CODE,
}
"""Bounded because nothing from outside is a key."""

MOST_BYTES = 300_000_000
"""All of it together, were every cache full at once."""


def test_every_memory_of_the_code_is_named_with_its_bound() -> None:
    found = set(_memories())
    named = ENTRIES_AND_BYTES.keys() | FIXED.keys()

    unnamed = sorted(found - named)
    assert not unnamed, (
        f"{unnamed}: what callers choose belongs into a BoundedCache (core/foundation/bounded_cache.py); anything else "
        "is named in this file, with what bounds it"
    )
    assert not sorted(named - found), "these are no more: take their names out of this file"


def test_all_caches_together_have_a_bound() -> None:
    counted = sum(entries * size for entries, size in ENTRIES_AND_BYTES.values())
    weighed = sum(_bounds_of_caches())

    assert weighed > 0
    assert counted + weighed <= MOST_BYTES


def test_prepared_statements_have_a_bound() -> None:
    from core.foundation.database.db import (
        MAX_CACHED_STATEMENT,
        STATEMENT_CACHE_SIZE,
        tortoise_config,
    )

    for connection in tortoise_config("postgres://svc@localhost/svc")["connections"].values():
        credentials = connection["credentials"]
        assert credentials["statement_cache_size"] == STATEMENT_CACHE_SIZE
        assert credentials["max_cacheable_statement_size"] == MAX_CACHED_STATEMENT
    assert STATEMENT_CACHE_SIZE * MAX_CACHED_STATEMENT <= 5_000_000


def _memories() -> Iterator[str]:
    for path, tree in _modules():
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        yield from (f"{module}:{name}" for name in _remembering_functions(tree))
        yield from (f"{module}:{name}" for name in _growing_containers(tree))


def _modules() -> Iterator[tuple[Path, ast.Module]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path, ast.parse(path.read_text(encoding="utf-8"))


def _remembering_functions(tree: ast.Module) -> Iterator[str]:
    """Functions that the standard library remembers answers of, and other uses of what does so."""
    imports = [
        node
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "functools"
    ]
    if not DECORATORS & {name.name for node in imports for name in node.names}:
        return
    decorated = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                if isinstance(called, ast.Name) and called.id in DECORATORS:
                    decorated.add(called)
                    yield node.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in DECORATORS and node not in decorated:
            yield f"{node.id}(...)"


def _growing_containers(tree: ast.Module) -> Iterator[str]:
    """What a module begins with empty, and so fills while it runs; what is spelt as a constant is
    full after it.
    """
    for node in tree.body:
        if (
            isinstance(node, ast.AnnAssign | ast.Assign)
            and node.value is not None
            and _is_empty(node.value)
        ):
            target = ast.unparse(
                node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            )
            if not target.isupper():
                yield target


def _is_empty(value: ast.expr) -> bool:
    match value:
        case ast.Dict(keys=[]) | ast.List(elts=[]):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in CONTAINERS and (not value.args or name in ("defaultdict", "deque"))
    return False


def _bounds_of_caches() -> Iterator[int]:
    for _, tree in _modules():
        constants = {
            node.targets[0].id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "BoundedCache",
                "remembering",
            ):
                (bound,) = [one.value for one in node.keywords if one.arg == "max_bytes"]
                if isinstance(bound, ast.Constant):
                    assert isinstance(bound.value, int)
                    yield bound.value
                elif ast.unparse(bound) != "max_bytes":  # the decorator hands on what it is given
                    named = constants[ast.unparse(bound)]
                    assert isinstance(named, int)
                    yield named
