from tortoise import migrations
from tortoise.migrations import operations as ops
from core.wallet.models import Ledger
from tortoise import fields
from tortoise.indexes import Index

from core.foundation.database.indexes import WhereIndex

class Migration(migrations.Migration):
    dependencies = [('core', '0021_event_feed_positions')]

    initial = False

    operations = [
        ops.CreateModel(
            name='WalletDay',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('day', fields.DateField()),
                ('side', fields.CharEnumField(description='AVAILABLE: disponivel\nHELD: reservado\nREVENUE: receita\nREFUND: estorno\nOWED: devido\nOUTSIDE: externo', enum_type=Ledger, max_length=10)),
                ('came', fields.BigIntField()),
                ('went', fields.BigIntField()),
            ],
            options={'table': 'wallet_days', 'app': 'core', 'unique_together': (('organization_id', 'env', 'day', 'side'),), 'pk_attr': 'id', 'table_description': 'What moved into and out of a side on a day (UTC), of the movements up to `WalletSum.until_id`.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='WalletSum',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('until_id', fields.BigIntField()),
            ],
            options={'table': 'wallet_sums', 'app': 'core', 'unique_together': (('organization_id', 'env'),), 'pk_attr': 'id', 'table_description': 'Up to which movement the days of a wallet are summed.'},
            bases=['OwnedModel'],
        ),
        ops.AddIndex(
            model_name='WalletTransfer',
            index=Index(fields=['organization_id', 'env', 'id']),
        ),
        ops.AddIndex(
            model_name='WalletTransfer',
            index=WhereIndex(fields=['organization_id', 'env', 'kind', 'id'], name='wallet_transfers_rare', where="kind IN ('credito', 'liberacao', 'ajuste')"),
        ),
    ]
