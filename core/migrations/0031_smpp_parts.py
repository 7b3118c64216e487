from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0030_smpp_binds')]

    initial = False

    operations = [
        ops.CreateModel(
            name='SmppPart',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('account_id', fields.CharField(max_length=30)),
                ('source', fields.CharField(max_length=20)),
                ('destination', fields.CharField(max_length=20)),
                ('reference', fields.IntField()),
                ('total', fields.SmallIntField()),
                ('number', fields.SmallIntField()),
                ('coding', fields.SmallIntField()),
                ('digest', fields.BinaryField()),
                ('sealed', fields.TextField(unique=False)),
                ('message_id', fields.CharField(null=True, max_length=30)),
                ('received_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'smpp_parts', 'app': 'core', 'indexes': [Index(fields=['received_at'])], 'pk_attr': 'id', 'table_description': 'A part of a long text, until all of it is there, and ten minutes at most. `sealed`: its octets; `message_id`: what'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='SmppPart',
            constraint=UniqueConstraint(fields=('account_id', 'source', 'destination', 'reference', 'total', 'number'), name='smpp_parts_once'),
        ),
    ]
