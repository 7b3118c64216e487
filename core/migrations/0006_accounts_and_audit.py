from tortoise import migrations
from tortoise.migrations import operations as ops
from orjson import loads
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.fields.data import JSON_DUMPS
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0005_message_counts')]

    initial = False

    operations = [
        ops.CreateModel(
            name='AuditEntry',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('actor_kind', fields.CharField(max_length=7)),
                ('actor_id', fields.CharField(null=True, max_length=30)),
                ('action', fields.CharField(max_length=60)),
                ('subject_id', fields.CharField(null=True, max_length=40)),
                ('facts', fields.JSONField(encoder=JSON_DUMPS, decoder=loads)),
                ('request_id', fields.CharField(null=True, max_length=64)),
            ],
            options={'table': 'audit_entries', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'at', 'id']), Index(fields=['organization_id', 'env', 'subject_id', 'at'])], 'pk_attr': 'id', 'table_description': 'A deed that somebody may ask about later. Append-only; it outlives what it speaks of.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='FailedLogIn',
            fields=[
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('identity', fields.BinaryField()),
                ('failures', fields.IntField()),
                ('locked_until', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'failed_log_ins', 'app': 'core', 'indexes': [Index(fields=['updated_at'])], 'pk_attr': 'id', 'table_description': 'Failures in a row of one e-mail address from one network address, known by a keyed hash of both.'},
            bases=['Model'],
        ),
        ops.AddConstraint(
            model_name='FailedLogIn',
            constraint=UniqueConstraint(fields=('identity',), name='failed_log_ins_key'),
        ),
        ops.CreateModel(
            name='Session',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('account_id', fields.CharField(max_length=30)),
                ('token_hash', fields.BinaryField()),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('last_used_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('expires_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('ended_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'sessions', 'app': 'core', 'indexes': [Index(fields=['account_id']), Index(fields=['expires_at'])], 'pk_attr': 'id', 'table_description': 'A log-in at work, fixed to one environment. The token is shown once; only its keyed hash is kept.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='Session',
            constraint=UniqueConstraint(fields=('token_hash',), name='sessions_token_key'),
        ),
        ops.AddField(
            model_name='Account',
            name='password_hash',
            field=fields.TextField(null=True, unique=False),
        ),
        ops.AddField(
            model_name='ApiKey',
            name='ips',
            field=ArrayField(null=True, element_type='TEXT'),
        ),
        ops.AddField(
            model_name='ApiKey',
            name='replaced_by_id',
            field=fields.CharField(null=True, max_length=30),
        ),
    ]
