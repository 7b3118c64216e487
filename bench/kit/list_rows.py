"""Rows of every list that has few of its own after `svc seed` and `gather`: copies of those that are there,
and some that nothing else writes.
"""

from core.foundation.database import db


def _id(prefix: str, of: str = "n") -> str:
    return f"'{prefix}_' || left(md5('list' || $1::text || {of}), 21)"


def _copies(table: str, changes: str, *, where: str = "") -> str:
    """Rows of a table once more, so many, in turns, with these columns changed."""
    return f"""
    INSERT INTO {table}
    SELECT (jsonb_populate_record(of.row, jsonb_build_object({changes}))).*
    FROM generate_series(1, $2::int) AS n
    JOIN (SELECT t AS row, t.created_at, row_number() OVER (ORDER BY t.created_at, t.id) - 1 AS place,
                 count(*) OVER () AS many
          FROM {table} t WHERE organization_id = $1::text {where}) of ON of.place = n % of.many"""


LATER = "'created_at', of.created_at + n * interval '1 second'"
CARD = "(SELECT id FROM cards WHERE organization_id = $1::text AND env = 'test' ORDER BY created_at LIMIT 1)"
"""The one that the bench asks about."""
MEMBER = (
    "(SELECT id FROM accounts WHERE organization_id = $1::text ORDER BY created_at, id LIMIT 1)"
)
AT = "now() - n * interval '1 hour'"
MOST_FILES = 50
"""Of a card."""
MOST_PENDING = 100
"""Senders of e-mail that wait."""
MOST_JOURNEYS = 200
"""That are not archived."""

ROWS = (
    _copies("accounts", f"""
    'id', {_id("acc")}, 'name', 'Pessoa ' || n, 'email', 'pessoa' || n || '@example.com', 'role', 'operator', {LATER}"""),
    f"""
    INSERT INTO sessions (id, organization_id, env, account_id, token_hash, created_at, last_used_at, expires_at)
    SELECT {_id("ses")}, $1::text, 'test', account_id, sha256(convert_to($1::text || n, 'UTF8')), {AT}, {AT}, now() + interval '1 day'
    FROM generate_series(1, $2::int) n,
         (SELECT account_id FROM sessions WHERE organization_id = $1::text ORDER BY created_at DESC LIMIT 1) s""",
    f"""
    INSERT INTO api_keys
        (id, organization_id, env, name, key_hash, prefix, scopes, created_by_id, created_at, expires_at, last_used_at)
    SELECT {_id("key")}, $1::text, 'test', 'Integração ' || n, sha256(convert_to('key' || $1::text || n, 'UTF8')),
           'svc_test_' || lpad(n::text, 3, '0'),
           ARRAY['sms:send', 'sms:read', 'contacts:read'], {MEMBER}, {AT}, CASE WHEN n % 2 = 0 THEN now() + interval '1 year' END, {AT}
    FROM generate_series(1, $2::int) n""",
    _copies("numbers", f"""
    'id', {_id("num")}, 'phone_number_id', '7700' || n, 'phone', '+55118' || (80000000 + n), {LATER}"""),
    _copies("templates", f"'id', {_id('tpl')}, 'name', (of.row).name || '_' || n, {LATER}"),
    _copies("flows", f"""
    'id', {_id("flw")}, 'name', 'Cadastro ' || n, {LATER}, 'flow_json', jsonb_build_object(
        'version', '7.2', 'data_api_version', '3.0', 'routing_model', jsonb_build_object('A', '["B"]'::jsonb, 'B', '[]'::jsonb),
        'screens', jsonb_build_array(
            '{{"id": "A", "title": "Seus dados", "layout": {{"type": "SingleColumnLayout", "children": [
               {{"type": "TextInput", "name": "nome", "label": "Nome", "required": true}},
               {{"type": "TextInput", "name": "email", "label": "E-mail", "input-type": "email"}},
               {{"type": "Footer", "label": "Continuar", "on-click-action": {{"name": "navigate", "next": {{"name": "B"}}}}}}]}}}}'::jsonb,
            '{{"id": "B", "title": "Confirmar", "terminal": true, "layout": {{"type": "SingleColumnLayout", "children": [
               {{"type": "TextBody", "text": "Tudo certo?"}},
               {{"type": "Footer", "label": "Enviar", "on-click-action": {{"name": "complete"}}}}]}}}}'::jsonb))"""),
    _copies("segments", f"'id', {_id('seg')}, 'name', (of.row).name || ' ' || n, {LATER}"),
    _copies("contact_lists", f"'id', {_id('lst')}, 'name', (of.row).name || ' ' || n, {LATER}"),
    f"""
    INSERT INTO webhook_subscriptions
        (id, organization_id, env, url, secret_cipher, secret_version, headers, events, status, max_attempts, backoff_seconds,
         pii_full, api_version, consecutive_failures, confirmed_at, last_success_at, created_at, updated_at)
    SELECT {_id("wbh")}, $1::text, 'test', 'https://example.com/hooks/' || n, repeat('x', 120), 1,
           '[{{"key": "X-Origem", "value": "x"}}]', ARRAY['sms.delivered', 'sms.failed', 'rcs.delivered'], 'paused', 8, 30,
           n % 2 = 0, '2026-11-01', 0, {AT}, {AT}, {AT}, {AT}
    FROM generate_series(1, $2::int) n""",
    f"""
    INSERT INTO smpp_accounts
        (id, organization_id, env, system_id, password_hash, route, max_binds, "window", throttle, charset, ips, created_at)
    SELECT {_id("smp")}, $1::text, 'test', 'l' || left(md5($1::text || n), 14), '\\x00', 'premium', 5, 10, 'pace', 'gsm',
           ARRAY['192.0.2.1/32'], {AT}
    FROM generate_series(1, $2::int) n""",
    f"""
    INSERT INTO smpp_binds
        (id, organization_id, env, account_id, process, mode, peer, opened_at, alive_until, submits, deliveries, heard_at, window_used)
    SELECT {_id("bnd")}, $1::text, 'test', {_id("smp")}, 'prc_1', 'transceiver', '192.0.2.1', {AT}, now() + interval '1 day', n, n, now(), 3
    FROM generate_series(1, $2::int) n""",
    """
    INSERT INTO push_apps (organization_id, env, app_id, name, providers, created_at, updated_at)
    SELECT $1::text, 'test', 'app-' || n, 'Aplicativo ' || n, ARRAY['fcm', 'apns'], now(), now() FROM generate_series(1, $2::int) n""",
    f"""
    INSERT INTO email_senders (organization_id, env, address, verified_at, public_id, method, created_at)
    SELECT $1::text, 'test', CASE n % 2 WHEN 0 THEN '@loja' || n || '.example' ELSE 'loja@loja' || n || '.example' END, {AT}, {_id("snd")},
           CASE n % 2 WHEN 0 THEN 'dns' ELSE 'email' END, {AT}
    FROM generate_series(1, $2::int) n""",
    f"""
    INSERT INTO email_sender_verifications (id, organization_id, env, address, code_hash, created_at, expires_at, due_at)
    SELECT {_id("snd", "-n")}, $1::text, 'test', CASE n % 2 WHEN 0 THEN '@nova' || n || '.example' ELSE 'loja@nova' || n || '.example' END,
           CASE n % 2 WHEN 1 THEN '\\x00'::bytea END, {AT}, now() + interval '1 day', now() + interval '1 day'
    FROM generate_series(1, least($2::int, {MOST_PENDING})) n""",
    # Parts first: their pipelines are those that are there without copies.
    *(
        f"""
    INSERT INTO {table}
    SELECT (jsonb_populate_record(p, jsonb_build_object('id', {_id(prefix, "n || p.id")}, 'pipeline_id', {_id("pip")}))).*
    FROM generate_series(1, $2::int) n
    JOIN (SELECT id, row_number() OVER (ORDER BY created_at, id) - 1 AS place, count(*) OVER () AS many
          FROM pipelines WHERE organization_id = $1::text) of ON of.place = n % of.many
    JOIN {table} p ON p.pipeline_id = of.id AND p.organization_id = $1::text"""
        for table, prefix in (("pipeline_stages", "etp"), ("lost_reasons", "mot"))
    ),
    _copies("pipelines", f"'id', {_id('pip')}, 'name', (of.row).name || ' ' || n, 'position', 10 + n, {LATER}"),
    f"""
    INSERT INTO card_files (id, organization_id, env, card_id, name, mime_type, size, sha256, blob_key, created_by_id, created_at)
    SELECT {_id("arq")}, $1::text, 'test', {CARD}, 'proposta-' || n || '.pdf', 'application/pdf', 10000 + n, repeat('0', 64),
           'card/' || md5(n::text), {MEMBER}, {AT}
    FROM generate_series(1, least($2::int, {MOST_FILES})) n""",
    f"""
    INSERT INTO card_activities
        (id, organization_id, env, card_id, kind, title, text, due_at, done_at, owner_id, created_by_id, created_at, updated_at)
    SELECT {_id("atv")}, $1::text, 'test', {CARD}, CASE n % 2 WHEN 0 THEN 'tarefa' ELSE 'nota' END, 'Ligar de novo', 'Pediu outra proposta',
           CASE n % 2 WHEN 0 THEN now() + n * interval '1 hour' END, CASE n % 4 WHEN 0 THEN {AT} END, {MEMBER}, {MEMBER}, {AT}, {AT}
    FROM generate_series(1, $2::int) n""",
    f"""
    INSERT INTO card_history (id, organization_id, env, card_id, pipeline_id, kind, field, by_id, by_name, at)
    SELECT {_id("his")}, $1::text, 'test', {CARD}, (SELECT pipeline_id FROM cards WHERE id = {CARD}),
           'campo', 'valor', {MEMBER}, 'Ana', {AT}
    FROM generate_series(1, $2::int) n""",
    _copies("journeys", f"""
    'id', {_id("jor")}, 'name', (of.row).name || ' ' || n, 'lineage_id', {_id("jor")}, 'status',
    CASE WHEN n <= {MOST_JOURNEYS} - of.many THEN 'rascunho' ELSE 'arquivada' END, {LATER}""", where="AND status <> 'arquivada'"),
)  # fmt: skip
"""How they are written: $1 the organization, whose sandbox has some of each already, $2 how many."""


async def fill_lists(organization_id: str, number: int) -> None:
    """Write so many of each."""
    for sql in ROWS:
        await db.execute(sql, organization_id, number)
