from tortoise import migrations
from tortoise.migrations import operations as ops
from core.smpp.models import ReceiptIds, WhichReceipts
from tortoise import fields
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0048_journey_quote')]

    initial = False

    operations = [
        ops.CreateModel(
            name='SmppSubmit',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=64)),
                ('account_id', fields.CharField(max_length=30)),
                ('key', fields.CharField(max_length=40)),
                ('came_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('until', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'smpp_submits', 'app': 'core', 'indexes': [Index(fields=['until'])], 'pk_attr': 'id', 'table_description': 'What an account has submitted a moment ago, by a keyed hash: the same again until `until` is that message. `key`:'},
            bases=['OwnedModel'],
        ),
        ops.AddField(
            model_name='SmppAccount',
            name='dedupe_seconds',
            field=fields.SmallIntField(default=0, db_default=0),
        ),
        ops.AddField(
            model_name='SmppAccount',
            name='receipt_ids',
            field=fields.CharEnumField(default=ReceiptIds.ALL, description='ALL: all\nFINAL_PART: final_part', db_default='all', enum_type=ReceiptIds, max_length=10),
        ),
        ops.AddField(
            model_name='SmppAccount',
            name='receipt_zone',
            field=fields.CharField(default='UTC', db_default='UTC', max_length=64),
        ),
        ops.AddField(
            model_name='SmppAccount',
            name='receipts',
            field=fields.CharEnumField(default=WhichReceipts.AS_ASKED, description='AS_ASKED: as_asked\nALWAYS: always\nNEVER: never', db_default='as_asked', enum_type=WhichReceipts, max_length=8),
        ),
    ]
