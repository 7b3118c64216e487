from tortoise import migrations
from tortoise.migrations import operations as ops
from core.contacts.models import OptInStatus
from core.foundation.database.indexes import WhereIndex
from core.wallet.models import Ledger
from orjson import loads
from tortoise.fields.data import JSON_DUMPS
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import CheckConstraint, UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0001_foundation')]

    initial = False

    operations = [
        ops.CreateModel(
            name='Contact',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('phone', fields.CharField(max_length=16)),
                ('identity', fields.BinaryField()),
                ('opt_in_status', fields.CharEnumField(default=OptInStatus.UNKNOWN, description='GRANTED: granted\nDENIED: denied\nUNKNOWN: unknown', enum_type=OptInStatus, max_length=8)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'contacts', 'app': 'core', 'pk_attr': 'id', 'table_description': 'A person the organization may write to. The phone is the natural identity.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='Contact',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'identity'), name='contacts_phone_key'),
        ),
        ops.CreateModel(
            name='ContactDenial',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('identity', fields.BinaryField()),
                ('channel', fields.CharField(max_length=10)),
                ('reason', fields.CharField(null=True, max_length=200)),
                ('source', fields.CharField(null=True, max_length=80)),
                ('denied_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'contact_denials', 'app': 'core', 'pk_attr': 'id', 'table_description': '«Do not write to me», per channel or for all. Kept by the hash of the address: it survives the contact.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='ContactDenial',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'identity', 'channel'), name='contact_denials_once'),
        ),
        ops.CreateModel(
            name='MessageReceipt',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('message_id', fields.CharField(max_length=30)),
                ('status', fields.CharField(null=True, max_length=12)),
                ('reason', fields.CharField(null=True, max_length=32)),
                ('body', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('applied', fields.BooleanField()),
                ('received_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'message_receipts', 'app': 'core', 'indexes': [Index(fields=['message_id']), Index(fields=['received_at'])], 'pk_attr': 'id', 'table_description': "A provider's report as it came, whether or not it moved anything. Personal data: erased with its contact."},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='OrganizationLimits',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('sms_per_second', fields.IntField(null=True)),
            ],
            options={'table': 'organization_limits', 'app': 'core', 'unique_together': (('organization_id', 'env'),), 'pk_attr': 'id', 'table_description': 'Ceilings of one organization in one environment, where they differ from the defaults.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='ParkedReceipt',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('provider', fields.CharField(max_length=20)),
                ('kind', fields.CharField(max_length=8)),
                ('body', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('received_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('due_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'parked_receipts', 'app': 'core', 'indexes': [Index(fields=['due_at'])], 'pk_attr': 'id', 'table_description': "A report that came before its message was known under the provider's id; tried again for 24 hours."},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='PriceTable',
            fields=[
                ('organization_id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('sms', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('rcs', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('push', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('other', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'price_tables', 'app': 'core', 'pk_attr': 'organization_id', 'table_description': "An organization's own prices, in both environments; what it leaves out is not sold to it by table."},
            bases=['Model'],
        ),
        ops.CreateModel(
            name='SmsVolume',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('month', fields.CharField(max_length=7)),
                ('route', fields.CharField(max_length=16)),
                ('accepted', fields.BigIntField(default=0)),
            ],
            options={'table': 'sms_volumes', 'app': 'core', 'unique_together': (('organization_id', 'env', 'month', 'route'),), 'pk_attr': 'id', 'table_description': 'Segments accepted live on a route in a calendar month (UTC): what decides the price band.'},
            bases=['OwnedModel'],
        ),
        ops.AddIndex(
            model_name='IdempotencyKey',
            index=WhereIndex(fields=['subject_id'], name='idempotency_keys_by_subject', where="env = 'live'"),
        ),
        ops.AddField(
            model_name='Message',
            name='content',
            field=fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads),
        ),
        ops.AddField(
            model_name='Message',
            name='in_reply_to',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='Message',
            name='settle_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddIndex(
            model_name='Message',
            index=WhereIndex(fields=['settle_at'], name='messages_to_settle', where='settle_at IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='Message',
            index=WhereIndex(fields=['organization_id', 'env', 'created_at', 'id'], name='messages_inbound', where="direction = 'inbound'"),
        ),
        ops.AddConstraint(
            model_name='Message',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'provider', 'provider_reference'), name='messages_inbound_once', condition="direction = 'inbound'"),
        ),
        ops.AddField(
            model_name='Wallet',
            name='owed',
            field=fields.BigIntField(default=0, db_default=0),
        ),
        ops.AddField(
            model_name='Wallet',
            name='warned_depleted',
            field=fields.BooleanField(default=False, db_default=False),
        ),
        ops.AddField(
            model_name='Wallet',
            name='warned_low',
            field=fields.BooleanField(default=False, db_default=False),
        ),
        ops.AddConstraint(
            model_name='Wallet',
            constraint=CheckConstraint(check='owed >= 0', name='wallets_owed_not_negative'),
        ),
        ops.AlterField(
            model_name='WalletTransfer',
            name='source',
            field=fields.CharEnumField(description='AVAILABLE: disponivel\nHELD: reservado\nREVENUE: receita\nREFUND: estorno\nOWED: devido\nOUTSIDE: externo', enum_type=Ledger, max_length=10),
        ),
        ops.AlterField(
            model_name='WalletTransfer',
            name='target',
            field=fields.CharEnumField(description='AVAILABLE: disponivel\nHELD: reservado\nREVENUE: receita\nREFUND: estorno\nOWED: devido\nOUTSIDE: externo', enum_type=Ledger, max_length=10),
        ),
    ]
