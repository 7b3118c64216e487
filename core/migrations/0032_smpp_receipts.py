from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0031_smpp_parts')]

    initial = False

    operations = [
        ops.CreateModel(
            name='SmppReceipt',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('message_id', fields.CharField(max_length=30)),
                ('account_id', fields.CharField(max_length=30)),
                ('wanted', fields.SmallIntField()),
                ('source', fields.CharField(max_length=20)),
                ('destination', fields.CharField(max_length=20)),
                ('user_reference', fields.IntField(null=True)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('status', fields.CharField(null=True, max_length=12)),
                ('reason', fields.CharField(null=True, max_length=32)),
                ('done_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('due_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('attempts', fields.SmallIntField(default=0, db_default=0)),
            ],
            options={'table': 'smpp_receipts', 'app': 'core', 'indexes': [Index(fields=['message_id']), Index(fields=['account_id', 'due_at']), Index(fields=['created_at'])], 'pk_attr': 'id', 'table_description': 'A receipt that a client wants for what it was told by this id: of a message, or of one of its parts. `wanted`: for'},
            bases=['OwnedModel'],
        ),
        ops.AddField(
            model_name='SmppPart',
            name='wanted',
            field=fields.SmallIntField(default=0, db_default=0),
        ),
    ]
