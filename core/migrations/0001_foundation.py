# ruff: noqa: E501  (drafted by the migration writer)
"""The first tables."""

from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from core.messaging.models import Channel, Direction, Status
from core.organizations.models import AccountStatus, OrganizationStatus, Role
from core.wallet.models import Ledger, TransferKind
from core.webhooks.models import WebhookDeliveryStatus, SubscriptionStatus
from orjson import loads
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.fields.data import JSON_DUMPS
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import CheckConstraint

class Migration(migrations.Migration):
    initial = True

    operations = [
        ops.CreateModel(
            name='Account',
            fields=[
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('organization_id', fields.CharField(max_length=30)),
                ('name', fields.CharField(max_length=120)),
                ('email', fields.CharField(null=True, max_length=254)),
                ('role', fields.CharEnumField(description='OWNER: owner\nADMIN: admin\nOPERATOR: operator', enum_type=Role, max_length=12)),
                ('status', fields.CharEnumField(description='INVITED: invited\nACTIVE: active\nSUSPENDED: suspended', enum_type=AccountStatus, max_length=12)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'accounts', 'app': 'core', 'unique_together': (('organization_id', 'email'),), 'pk_attr': 'id', 'table_description': 'A person who works for an organization, in both of its environments.'},
            bases=['Model'],
        ),
        ops.CreateModel(
            name='ApiKey',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('name', fields.CharField(max_length=120)),
                ('key_hash', fields.BinaryField()),
                ('prefix', fields.CharField(max_length=12)),
                ('scopes', ArrayField(element_type='TEXT')),
                ('created_by_id', fields.CharField(max_length=30)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('expires_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('revoked_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('last_used_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'api_keys', 'app': 'core', 'unique_together': (('key_hash',),), 'indexes': [Index(fields=['organization_id', 'env'])], 'pk_attr': 'id', 'table_description': 'A credential of one environment. The key itself is shown once; only its keyed hash is kept.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='IdempotencyKey',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('route', fields.CharField(max_length=40)),
                ('key', fields.CharField(max_length=255)),
                ('body_hash', fields.BinaryField()),
                ('subject_id', fields.CharField(null=True, max_length=30)),
                ('answer', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('lease_until', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('expires_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'idempotency_keys', 'app': 'core', 'unique_together': (('organization_id', 'env', 'route', 'key'),), 'indexes': [Index(fields=['expires_at'])], 'pk_attr': 'id', 'table_description': 'One key on one route: the hash of its body, and the answer once there is one.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='Message',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('channel', fields.CharEnumField(description='SMS: sms', enum_type=Channel, max_length=10)),
                ('direction', fields.CharEnumField(description='OUTBOUND: outbound\nINBOUND: inbound', enum_type=Direction, max_length=8)),
                ('status', fields.CharEnumField(description='QUEUED: queued\nSENDING: sending\nSENT: sent\nDELIVERED: delivered\nFAILED: failed\nUNDELIVERED: undelivered', enum_type=Status, max_length=12)),
                ('reason', fields.CharField(null=True, max_length=32)),
                ('route', fields.CharField(null=True, max_length=16)),
                ('recipient', fields.CharField(max_length=254)),
                ('region', fields.CharField(null=True, max_length=4)),
                ('sender_id', fields.CharField(null=True, max_length=20)),
                ('provider', fields.CharField(null=True, max_length=20)),
                ('provider_reference', fields.CharField(null=True, max_length=80)),
                ('provider_receipt', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('encoding', fields.CharField(null=True, max_length=5)),
                ('length', fields.IntField(null=True)),
                ('segments', fields.IntField(null=True)),
                ('coins', fields.BigIntField(default=0)),
                ('contact_id', fields.CharField(null=True, max_length=30)),
                ('campaign_id', fields.CharField(null=True, max_length=80)),
                ('metadata', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('request_id', fields.CharField(null=True, max_length=64)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('sent_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('delivered_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('failed_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'messages', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'channel', 'created_at', 'id']), Index(fields=['organization_id', 'env', 'recipient', 'created_at']), WhereIndex(fields=['organization_id', 'env', 'contact_id', 'created_at'], name='messages_by_contact', where='contact_id IS NOT NULL'), WhereIndex(fields=['organization_id', 'env', 'campaign_id', 'created_at'], name='messages_by_campaign', where='campaign_id IS NOT NULL'), WhereIndex(fields=['provider', 'provider_reference'], name='messages_by_reference', where="provider <> 'svc-sandbox'")], 'pk_attr': 'id', 'table_description': 'A message that went out or came in, on any channel. Its text is not kept where no reader needs it.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='Organization',
            fields=[
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('name', fields.CharField(max_length=120)),
                ('status', fields.CharEnumField(default=OrganizationStatus.ACTIVE, description='ACTIVE: active\nSUSPENDED: suspended', enum_type=OrganizationStatus, max_length=12)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'organizations', 'app': 'core', 'pk_attr': 'id', 'table_description': "A customer of the service. Its records never meet another organization's."},
            bases=['Model'],
        ),
        ops.CreateModel(
            name='SandboxReport',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('message_id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('channel', fields.CharField(max_length=10)),
                ('status', fields.CharField(max_length=12)),
                ('reason', fields.CharField(null=True, max_length=32)),
                ('due_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('receipt', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
            ],
            options={'table': 'sandbox_reports', 'app': 'core', 'indexes': [Index(fields=['due_at'])], 'pk_attr': 'message_id', 'table_description': 'A delivery report on its way: due a few seconds after the sandbox accepted the message.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='Wallet',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('available', fields.BigIntField(default=0)),
                ('held', fields.BigIntField(default=0)),
                ('revenue', fields.BigIntField(default=0)),
                ('refund', fields.BigIntField(default=0)),
                ('warn_below', fields.BigIntField(default=100000)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'wallets', 'app': 'core', 'unique_together': (('organization_id', 'env'),), 'pk_attr': 'id', 'table_description': 'The balances. Each equals the sum of the transfers into it less those out of it.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='Wallet',
            constraint=CheckConstraint(check='available >= 0', name='wallets_available_not_negative'),
        ),
        ops.AddConstraint(
            model_name='Wallet',
            constraint=CheckConstraint(check='held >= 0', name='wallets_held_not_negative'),
        ),
        ops.CreateModel(
            name='WalletTransfer',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('origin', fields.CharField(max_length=40)),
                ('kind', fields.CharEnumField(description='CREDIT: credito\nHOLD: reserva\nCAPTURE: captura\nRELEASE: liberacao\nADJUSTMENT: ajuste', enum_type=TransferKind, max_length=10)),
                ('source', fields.CharEnumField(description='AVAILABLE: disponivel\nHELD: reservado\nREVENUE: receita\nREFUND: estorno\nOUTSIDE: externo', enum_type=Ledger, max_length=10)),
                ('target', fields.CharEnumField(description='AVAILABLE: disponivel\nHELD: reservado\nREVENUE: receita\nREFUND: estorno\nOUTSIDE: externo', enum_type=Ledger, max_length=10)),
                ('coins', fields.BigIntField()),
                ('request_id', fields.CharField(null=True, max_length=64)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'wallet_transfers', 'app': 'core', 'unique_together': (('organization_id', 'env', 'origin', 'kind'),), 'pk_attr': 'id', 'table_description': 'One movement between two sides; append-only. A (origin, kind) happens once, however often a job runs.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='WalletTransfer',
            constraint=CheckConstraint(check='coins > 0', name='wallet_transfers_coins_positive'),
        ),
        ops.CreateModel(
            name='WebhookDelivery',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('subscription_id', fields.CharField(max_length=30)),
                ('event_id', fields.CharField(max_length=30)),
                ('status', fields.CharEnumField(default=WebhookDeliveryStatus.PENDING, description='PENDING: pendente\nRETRYING: falhando\nDELIVERED: entregue\nDEAD: morta\nHELD_BACK: retida', enum_type=WebhookDeliveryStatus, max_length=8)),
                ('attempts', fields.IntField(default=0)),
                ('due_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('last_status_code', fields.IntField(null=True)),
                ('last_latency_ms', fields.IntField(null=True)),
                ('last_error', fields.CharField(null=True, max_length=20)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('finished_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'webhook_deliveries', 'app': 'core', 'indexes': [Index(fields=['subscription_id', 'created_at']), Index(fields=['event_id']), WhereIndex(fields=['due_at'], name='webhook_deliveries_due', where='due_at IS NOT NULL')], 'pk_attr': 'id', 'table_description': 'One event on its way to one subscription. Due while `due_at` is set; a claim moves it ahead as a lease.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='WebhookEvent',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('type', fields.CharField(max_length=40)),
                ('data', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('occurred_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('request_id', fields.CharField(null=True, max_length=64)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'webhook_events', 'app': 'core', 'indexes': [Index(fields=['created_at'])], 'pk_attr': 'id', 'table_description': "Something that happened, frozen. `data` is unmasked; each subscription's serialisation masks it."},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='WebhookSubscription',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('url', fields.CharField(max_length=2048)),
                ('secret_cipher', fields.TextField(unique=False)),
                ('secret_version', fields.IntField(default=1)),
                ('headers', fields.JSONField(default=list, encoder=JSON_DUMPS, decoder=loads)),
                ('events', ArrayField(element_type='TEXT')),
                ('status', fields.CharEnumField(default=SubscriptionStatus.ACTIVE, description='ACTIVE: active\nPAUSED: paused\nFAILING: failing\nREVOKED: revoked', enum_type=SubscriptionStatus, max_length=8)),
                ('description', fields.CharField(null=True, max_length=500)),
                ('max_attempts', fields.IntField(default=8)),
                ('backoff_seconds', fields.IntField(default=30)),
                ('pii_full', fields.BooleanField(default=False)),
                ('api_version', fields.CharField(max_length=10)),
                ('created_by_id', fields.CharField(null=True, max_length=30)),
                ('consecutive_failures', fields.IntField(default=0)),
                ('last_success_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('last_failure_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'webhook_subscriptions', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'created_at', 'id'])], 'pk_attr': 'id', 'table_description': 'An address that wants to hear of some events, and the encrypted secret that signs them.'},
            bases=['OwnedModel'],
        ),
        ops.RunSQL(
            sql=[
                # 21 characters of base62 from 244 random bits; the two extra characters of base64 become letters.
                """
                CREATE FUNCTION svc_new_id(prefix text) RETURNS text LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
                    SELECT prefix || '_' || left(translate(encode(
                        uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'base64'), '+/=', 'Kq'), 21)
                $$
                """,
                # Room in each page for the status move, so that it rewrites no index.
                'ALTER TABLE messages SET (fillfactor = 75)',
                'ALTER TABLE webhook_deliveries SET (fillfactor = 75)',
                'ALTER TABLE wallets SET (fillfactor = 50)',
            ],
            reverse_sql=['DROP FUNCTION svc_new_id(text)'],
        ),
    ]
