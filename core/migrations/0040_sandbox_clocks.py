from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0039_quotes')]

    initial = False

    operations = [
        ops.CreateModel(
            name='SandboxClock',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('instant', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('set_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('is_frozen', fields.BooleanField(db_default=False)),
                ('target', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('advances_from', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('advanced_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('applied', fields.IntField(db_default=0)),
                ('limited_by', fields.CharField(null=True, max_length=12)),
                ('leased_to', fields.CharField(null=True, max_length=12)),
                ('lease_until', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'sandbox_clocks', 'app': 'core', 'pk_attr': 'id', 'table_description': 'The clock of a sandbox that was moved; without a row it is the real time.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='SandboxClock',
            constraint=UniqueConstraint(fields=('organization_id', 'env'), name='sandbox_clocks_once'),
        ),
        ops.AddIndex(
            model_name='Message',
            index=WhereIndex(fields=['organization_id', 'settle_at'], name='messages_to_settle_in_sandbox', where="settle_at IS NOT NULL AND env = 'test'"),
        ),
        ops.AddField(
            model_name='Organization',
            name='has_sandbox_clock',
            field=fields.BooleanField(default=False, db_default=False),
        ),
    ]
