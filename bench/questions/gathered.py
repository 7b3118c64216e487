"""What an organization gathers over the years beside what `svc seed` writes: rows of the tables that
only the service itself fills.
"""

from core.foundation.database import db

AT = "date_trunc('day', now()) - n * interval '90 days' / $2::int"
LATELY = "date_trunc('day', now()) - n * interval '5 days' / $2::int"
"""Of what is swept after some days."""
NUMBERS = "generate_series(1, $2::int) AS n"


def _id(prefix: str) -> str:
    return f"'{prefix}_' || left(md5($1::text || n), 21)"


OF_CONTACTS = """(SELECT ARRAY(
    SELECT id FROM contacts WHERE organization_id = $1::text AND env = 'test' ORDER BY created_at LIMIT 1000) AS ids) c"""
ONE_OF_CONTACTS = "c.ids[1 + n % cardinality(c.ids)]"
OF_WEBHOOKS = """(SELECT ARRAY(
    SELECT id FROM webhook_subscriptions WHERE organization_id = $1::text AND env = 'test' ORDER BY id) AS ids) w"""
ONE_OF_WEBHOOKS = "w.ids[1 + least(n % 40, cardinality(w.ids) - 1)]"
"""Most deliveries are those of one subscription."""

RUN_KEY = f"""
overlay(overlay(md5($1::text || n) PLACING '8' FROM 17)
        PLACING lpad(to_hex((extract(epoch FROM {AT}) * 1000)::bigint), 12, '0') || '7' FROM 1)::uuid"""
"""The key of a run begins with its time."""

GATHERED: tuple[tuple[int, str], ...] = (
    (20, f"""
     INSERT INTO messages
         (id, organization_id, env, channel, direction, status, route, recipient, provider, coins, contact_id, content,
          metadata, created_at, sent_at, delivered_at, updated_at)
     SELECT {_id("msg")}, $1::text, 'test', 'rcs', 'outbound', 'delivered', 'easy_rcs', '+55119' || lpad(n::text, 8, '0'),
            'svc-sandbox', 300, {ONE_OF_CONTACTS}, '{{"text": "Seu pedido saiu para entrega"}}',
            '{{"order": "A-1"}}', {AT}, {AT}, {AT}, {AT}
     FROM {NUMBERS}, {OF_CONTACTS}"""),
    (20, f"""
     INSERT INTO messages
         (id, organization_id, env, channel, direction, status, reason, route, recipient, provider, coins, contact_id,
          campaign_id, sender_address, subject, body_bytes, created_at, sent_at, updated_at)
     SELECT 'msg_e' || left(md5($1::text || n), 20), $1::text, 'test', 'email', 'outbound',
            CASE n % 50 WHEN 0 THEN 'bounced' ELSE 'sent' END,
            CASE n % 50 WHEN 0 THEN 'invalid_address' END, 'marketing', 'cliente' || n || '@example.com',
            'svc-sandbox', 20, {ONE_OF_CONTACTS}, 'newsletter-' || n % 3, 'loja@example.com', 'Novidades', 900, {AT}, {AT}, {AT}
     FROM {NUMBERS}, {OF_CONTACTS}"""),
    (4, f"""
     INSERT INTO audit_entries
         (id, organization_id, env, at, actor_kind, actor_id, action, subject_id, facts)
     SELECT {_id("aud")}, $1::text, 'test', {AT}, 'account', 'acc_' || lpad((n % 20)::text, 21, '0'), 'contact.updated',
            {ONE_OF_CONTACTS}, '{{"fields": ["name"]}}'
     FROM {NUMBERS}, {OF_CONTACTS}"""),
    (4, f"""
     INSERT INTO refused_sends
         (id, organization_id, env, channel, rule, code, facts, identity, contact_id, request_id, at)
     SELECT {_id("dec")}, $1::text, 'test', 'sms', CASE n % 20 WHEN 0 THEN 'saldo' ELSE 'consentimento' END,
            'OPT_OUT', '{{}}', decode(md5({ONE_OF_CONTACTS}), 'hex'), {ONE_OF_CONTACTS}, 'req_' || n, {AT}
     FROM {NUMBERS}, {OF_CONTACTS}"""),
    (10, f"""
     INSERT INTO refusal_counts (organization_id, env, minute, channel, rule, refusals)
     SELECT $1::text, 'test', date_trunc('minute', {AT}), 'sms', 'consentimento', 1 FROM {NUMBERS}
     ON CONFLICT DO NOTHING"""),
    (50_000, f"""
     INSERT INTO webhook_subscriptions
         (id, organization_id, env, url, secret_cipher, secret_version, headers, events, status, max_attempts,
          backoff_seconds, pii_full, api_version, consecutive_failures, created_at, updated_at)
     SELECT {_id("wbh")}, $1::text, 'test', 'https://example.com/' || n, 'x', 1, '[]', ARRAY['sms.delivered'],
            'paused', 8, 30, true, '2026-11-01', 0, {AT}, {AT}
     FROM {NUMBERS}"""),
    (2, f"""
     INSERT INTO webhook_events (id, organization_id, env, type, data, occurred_at, created_at)
     SELECT {_id("evt")}, $1::text, 'test', CASE n % 10 WHEN 0 THEN 'sms.failed' ELSE 'sms.delivered' END,
            '{{"id": "msg_1", "to": "+5511987654321", "status": "delivered"}}', {AT}, {AT}
     FROM {NUMBERS}"""),
    (2, f"""
     INSERT INTO webhook_feed (organization_id, env, position, event_id, type, created_at)
     SELECT $1::text, 'test', $2::int + 1 - n, {_id("evt")}, CASE n % 10 WHEN 0 THEN 'sms.failed' ELSE 'sms.delivered' END, {LATELY}
     FROM {NUMBERS}"""),
    (1_000_000_000, """
     INSERT INTO webhook_feed_heads (organization_id, env, epoch, position, began_at)
     SELECT organization_id, env, 1, max(position), now() FROM webhook_feed
     WHERE organization_id = $1::text AND $2::int > 0 GROUP BY 1, 2 ON CONFLICT DO NOTHING"""),
    (2, f"""
     INSERT INTO webhook_deliveries
         (id, organization_id, env, subscription_id, event_id, status, attempts, created_at, finished_at)
     SELECT {_id("dlv")}, $1::text, 'test', {ONE_OF_WEBHOOKS}, {_id("evt")}, 'entregue', 1, {AT}, {AT}
     FROM {NUMBERS}, {OF_WEBHOOKS}"""),
    (2, f"""
     INSERT INTO webhook_attempts (organization_id, env, delivery_id, number, at, status_code, latency_ms, response_body)
     SELECT $1::text, 'test', {_id("dlv")}, 1, {AT}, 200, 20, 'ok' FROM {NUMBERS}"""),
    (50_000, f"""
     INSERT INTO smpp_accounts
         (id, organization_id, env, system_id, password_hash, route, max_binds, "window", throttle, charset, created_at)
     SELECT {_id("smp")}, $1::text, 'test', left(md5($1::text || n), 15), '\\x00', 'premium', 5, 10, 'pace', 'gsm', {AT}
     FROM {NUMBERS}"""),
    (4, f"""
     INSERT INTO smpp_receipts
         (id, organization_id, env, message_id, account_id, wanted, source, destination, created_at, status, done_at,
          given_up_at)
     SELECT {_id("rcp")}, $1::text, 'test', {_id("msg")}, s.id, 1, 'LOJA', '5511987654321', {AT},
            'delivered', {AT}, CASE n % 10 WHEN 0 THEN {AT} END
     FROM {NUMBERS}, (SELECT id FROM smpp_accounts WHERE organization_id = $1::text ORDER BY id LIMIT 1) s"""),
    (20, f"""
     INSERT INTO smpp_replies (organization_id, env, message_id, account_id, sender, destination, created_at, due_at)
     SELECT $1::text, 'test', {_id("msg")}, s.id, '5511987654321', '27500', {AT}, {AT}
     FROM {NUMBERS}, (SELECT id FROM smpp_accounts WHERE organization_id = $1::text ORDER BY id LIMIT 1) s"""),
    (500_000, f"""
     INSERT INTO push_apps (organization_id, env, app_id, name, providers, created_at, updated_at)
     SELECT $1::text, 'test', CASE n WHEN 1 THEN 'loja' ELSE 'outra' END, 'Loja', ARRAY['fcm'], {AT}, {AT} FROM {NUMBERS}"""),
    (5, f"""
     INSERT INTO push_devices
         (id, organization_id, env, app_id, token, token_hash, platform, contact_id, topics, opted_in, created_at, updated_at)
     SELECT {_id("dev")}, $1::text, 'test', 'outra', 'token-' || n, decode(md5($1::text || n), 'hex'), 'android',
            {ONE_OF_CONTACTS}, '{{}}', true, {AT}, {AT}
     FROM {NUMBERS}, {OF_CONTACTS}"""),
    (20, f"""
     INSERT INTO push_dispatches
         (id, organization_id, env, origin, status, title, body, platforms, rate_kind, unit_coins, reach, open_count,
          created_at, started_at, completed_at, updated_at)
     SELECT {_id("psh")}, $1::text, 'test', 'api', 'sent', 'Oferta', 'Hoje', ARRAY['android'], 'simple', 10, 4, 0,
            {AT}, {AT}, {AT}, {AT}
     FROM {NUMBERS}"""),
    (5, f"""
     INSERT INTO push_deliveries (organization_id, env, dispatch_id, device_id, platform, status, settled_at)
     SELECT $1::text, 'test', 'psh_' || left(md5($1::text || (1 + n / 4)), 21), {_id("dev")}, 'android', 'delivered', {AT}
     FROM {NUMBERS}"""),
    (20, f"""
     INSERT INTO message_batches
         (id, organization_id, env, kind, accepted, refused, coins_estimated, created_at)
     SELECT {_id("btc")}, $1::text, 'test', 'bulk', 10, 0, 3000, {AT} FROM {NUMBERS}"""),
    (20, f"""
     INSERT INTO quotes (id, organization_id, env, coins, reserved, valid_until, created_at, updated_at)
     SELECT {_id("qte")}, $1::text, 'test', 3000, false, {AT} + interval '1 hour', {AT}, {AT} FROM {NUMBERS}"""),
    (20, f"""
     INSERT INTO quote_items
         (organization_id, env, quote_id, place, channel, route, messages, segments, remaining, steps, coins, held)
     SELECT $1::text, 'test', {_id("qte")}, 0, 'sms', 'premium', 10, 10, 10, '[[10, 300]]', 3000, 0 FROM {NUMBERS}"""),
    (10, f"""
     INSERT INTO email_suppressions (organization_id, env, identity, reason, message_id, created_at)
     SELECT $1::text, 'test', decode(md5($1::text || n), 'hex'), 'invalid_address', 'msg_e' || left(md5($1::text || n), 20), {AT}
     FROM {NUMBERS}"""),
    (500, f"""
     INSERT INTO flows (id, organization_id, env, number_id, name, status, version, flow_json, created_at, updated_at)
     SELECT {_id("flw")}, $1::text, 'test', s.id, 'Pesquisa ' || n, 'draft', 1, '{{"version": "6.0", "screens": []}}', {AT}, {AT}
     FROM {NUMBERS}, (SELECT id FROM numbers WHERE organization_id = $1::text ORDER BY id LIMIT 1) s"""),
    (5, f"""
     INSERT INTO customer_events
         (id, organization_id, env, name, event_id, contact_id, occurred_at, properties, created_at)
     SELECT {_id("evn")}, $1::text, 'test', 'visita', 'e-' || n, {ONE_OF_CONTACTS}, {AT}, '{{"page": "/"}}', {AT}
     FROM {NUMBERS}, {OF_CONTACTS}"""),
    (5, f"""
     INSERT INTO provider_costs
         (message_id, organization_id, env, provider, route, country, currency, amount, fee, parts, coins, at)
     SELECT {_id("msg")}, $1::text, 'test', 'cloud-eum', 'premium', 'BR', 'USD', 0.02, 0, 1, 300, {AT} FROM {NUMBERS}"""),
    (5, f"""
     INSERT INTO journey_runs
         (id, organization_id, env, version_id, lineage_id, contact_id, entry_key, state, step, seq, due_at, entered_at, step_at,
          ended_at)
     SELECT {RUN_KEY},
            $1::text, 'test', j.id, j.id, {ONE_OF_CONTACTS}, n::text, 1 + (n % 2), 2, 2,
            CASE n % 2 WHEN 0 THEN now() + interval '30 days' END, {AT}, {AT}, CASE n % 2 WHEN 1 THEN {AT} END
     FROM {NUMBERS}, {OF_CONTACTS}, (
         SELECT id FROM journeys WHERE organization_id = $1::text AND status = 'pausada' ORDER BY created_at LIMIT 1) j"""),
    (5, f"""
     INSERT INTO journey_trail (run_id, seq, at, step, outcome)
     SELECT {RUN_KEY},
            1, {AT}, 1, 2 FROM {NUMBERS}"""),
    (10, f"""
     INSERT INTO conversation_pairs (organization_id, env, sender_id, identity, contact_id, last_inbound_at)
     SELECT $1::text, 'test', s.id, decode(md5($1::text || n), 'hex'), {ONE_OF_CONTACTS}, {AT}
     FROM {NUMBERS}, {OF_CONTACTS}, (SELECT id FROM numbers WHERE organization_id = $1::text ORDER BY id LIMIT 1) s"""),
    (200, f"""
     INSERT INTO sessions (id, organization_id, env, account_id, token_hash, created_at, last_used_at, expires_at)
     SELECT {_id("ses")}, $1::text, 'test', a.id, decode(md5($1::text || n), 'hex'), {AT}, {AT}, now() + interval '1 day'
     FROM {NUMBERS}, (SELECT id FROM accounts WHERE organization_id = $1::text ORDER BY id LIMIT 1) a"""),
    (1000, f"""
     INSERT INTO api_keys (id, organization_id, env, name, key_hash, prefix, scopes, created_by_id, created_at, revoked_at)
     SELECT {_id("key")}, $1::text, 'test', 'old', decode(md5($1::text || n), 'hex'), 'sk_test_old', '{{}}', a.id, {AT}, {AT}
     FROM {NUMBERS}, (SELECT id FROM accounts WHERE organization_id = $1::text ORDER BY id LIMIT 1) a"""),
)  # fmt: skip
"""How many messages there are for each row, and how the rows are written: $1::text the organization, $2 how many."""


async def gather(organization_id: str, messages: int) -> None:
    """Write them, to an organization that has none of them yet."""
    for share, sql in GATHERED:
        await db.execute(sql, organization_id, -(-messages // share))
