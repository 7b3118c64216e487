from tortoise import migrations
from tortoise.migrations import operations as ops
from core.smpp.models import Charset, Throttle
from tortoise.contrib.postgres.fields import ArrayField
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0028_account_tokens')]

    initial = False

    operations = [
        ops.CreateModel(
            name='SmppAccount',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('system_id', fields.CharField(max_length=15)),
                ('password_hash', fields.BinaryField()),
                ('previous_hash', fields.BinaryField(null=True)),
                ('previous_until', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('route', fields.CharField(max_length=16)),
                ('ips', ArrayField(null=True, element_type='TEXT')),
                ('max_binds', fields.IntField()),
                ('window', fields.IntField()),
                ('throttle', fields.CharEnumField(description='REFUSE: refuse\nPACE: pace', enum_type=Throttle, max_length=8)),
                ('charset', fields.CharEnumField(description='GSM: gsm\nLATIN1: latin1\nASCII: ascii', enum_type=Charset, max_length=8)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('revoked_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'smpp_accounts', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env'])], 'pk_attr': 'id', 'table_description': 'What a client binds with. The password is shown once; only its keyed hash is kept. `previous_hash`: the one that'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='SmppAccount',
            constraint=UniqueConstraint(fields=('system_id',), name='smpp_accounts_system_id_key'),
        ),
    ]
