from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise.contrib.postgres.fields import ArrayField
from tortoise import fields

class Migration(migrations.Migration):
    dependencies = [('core', '0032_smpp_receipts')]

    initial = False

    operations = [
        ops.CreateModel(
            name='SecondFactor',
            fields=[
                ('account_id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('organization_id', fields.CharField(max_length=30)),
                ('secret_cipher', fields.TextField(unique=False)),
                ('confirmed_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('last_step', fields.BigIntField(default=0, db_default=0)),
                ('recovery_hashes', ArrayField(default=list, db_default='{}', element_type='TEXT')),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'second_factors', 'app': 'core', 'pk_attr': 'account_id', 'table_description': "What a person shows at the log-in besides the password: an app's codes, or recovery codes."},
            bases=['Model'],
        ),
    ]
