from tortoise import migrations
from tortoise.migrations import operations as ops
from core.messaging.models import Channel, Status
from orjson import loads
from tortoise.fields.data import JSON_DUMPS
from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0010_graphql_cost')]

    initial = False

    operations = [
        ops.CreateModel(
            name='OutboxEmail',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('message_id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('letter', fields.TextField(unique=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'email_letters', 'app': 'core', 'pk_attr': 'message_id', 'table_description': 'The letter of a message that is still to be handed over, encrypted; gone as soon as its outcome is known.'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='EmailSender',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('address', fields.CharField(max_length=254)),
                ('verified_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'email_senders', 'app': 'core', 'pk_attr': 'id', 'table_description': 'An address or a domain (`@example.com`) that an organization has shown to be its own.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='EmailSender',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'address'), name='email_senders_once'),
        ),
        ops.CreateModel(
            name='EmailSuppression',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('identity', fields.BinaryField()),
                ('reason', fields.CharField(max_length=20)),
                ('message_id', fields.CharField(null=True, max_length=30)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'email_suppressions', 'app': 'core', 'pk_attr': 'id', 'table_description': 'An address that bounced for good, or whose owner complained. Kept by its hash: it outlives the contact.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='EmailSuppression',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'identity'), name='email_suppressions_once'),
        ),
        ops.AlterField(
            model_name='Message',
            name='channel',
            field=fields.CharEnumField(description='SMS: sms\nRCS: rcs\nEMAIL: email', enum_type=Channel, max_length=10),
        ),
        ops.AlterField(
            model_name='Message',
            name='status',
            field=fields.CharEnumField(description='QUEUED: queued\nSENDING: sending\nSENT: sent\nDELIVERED: delivered\nFAILED: failed\nUNDELIVERED: undelivered\nREAD: read\nBOUNCED: bounced\nCOMPLAINED: complained', enum_type=Status, max_length=12),
        ),
        ops.AddField(
            model_name='Message',
            name='body_bytes',
            field=fields.IntField(null=True),
        ),
        ops.AddField(
            model_name='Message',
            name='fallback',
            field=fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads),
        ),
        ops.AddField(
            model_name='Message',
            name='path',
            field=fields.CharField(null=True, max_length=3),
        ),
        ops.AddField(
            model_name='Message',
            name='read_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='Message',
            name='sender_address',
            field=fields.CharField(null=True, max_length=320),
        ),
        ops.AddField(
            model_name='Message',
            name='subject',
            field=fields.CharField(null=True, max_length=998),
        ),
    ]
