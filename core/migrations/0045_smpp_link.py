from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0044_decision_facts')]

    initial = False

    operations = [
        ops.CreateModel(
            name='SmppLinkMessage',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=80)),
                ('recipient', fields.BinaryField()),
                ('parts', fields.SmallIntField(default=0, db_default=0)),
                ('state', fields.CharField(max_length=8)),
                ('reason', fields.CharField(null=True, max_length=32)),
                ('reference', fields.CharField(null=True, max_length=80)),
                ('told', fields.CharField(null=True, max_length=12)),
                ('begun_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'smpp_link_messages', 'app': 'core', 'indexes': [Index(fields=['recipient', 'begun_at']), Index(fields=['begun_at'])], 'pk_attr': 'id', 'table_description': "A message that was handed to an operator's SMSC, noted before: its id leaves once. `recipient`: a keyed hash of the"},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='SmppLinkPart',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=84)),
                ('message_id', fields.CharField(max_length=80)),
                ('link', fields.CharField(max_length=24)),
                ('smsc_id', fields.CharField(max_length=65)),
                ('state', fields.CharField(null=True, max_length=12)),
                ('taken_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'smpp_link_parts', 'app': 'core', 'indexes': [Index(fields=['link', 'smsc_id']), Index(fields=['message_id']), Index(fields=['taken_at'])], 'pk_attr': 'id', 'table_description': 'A part that an operator has taken under an id of its own, `smsc_id`, which its receipt names. `state`: what that'},
            bases=['OwnedModel'],
        ),
        ops.CreateModel(
            name='SmppLinkReport',
            fields=[
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('kind', fields.CharField(max_length=7)),
                ('link', fields.CharField(max_length=24)),
                ('recipient', fields.BinaryField()),
                ('sealed', fields.TextField(unique=False)),
                ('smsc_id', fields.CharField(null=True, max_length=65)),
                ('user_reference', fields.IntField(null=True)),
                ('state', fields.CharField(null=True, max_length=12)),
                ('told_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('due_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'smpp_link_reports', 'app': 'core', 'indexes': [Index(fields=['due_at']), Index(fields=['link', 'smsc_id'])], 'pk_attr': 'id', 'table_description': "A receipt or a reply of an operator, until the service has taken it: nobody's until its message is found. `sealed`:"},
            bases=['Model'],
        ),
    ]
