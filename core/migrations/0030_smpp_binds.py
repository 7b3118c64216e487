from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0029_smpp_accounts')]

    initial = False

    operations = [
        ops.CreateModel(
            name='SmppBind',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('account_id', fields.CharField(max_length=30)),
                ('process', fields.CharField(max_length=30)),
                ('mode', fields.CharField(max_length=11)),
                ('peer', fields.CharField(max_length=64)),
                ('opened_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('alive_until', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'smpp_binds', 'app': 'core', 'indexes': [Index(fields=['account_id']), Index(fields=['process']), Index(fields=['alive_until'])], 'pk_attr': 'id', 'table_description': 'A bind that is open in one of our processes, as long as that renews it: `alive_until`.'},
            bases=['OwnedModel'],
        ),
    ]
