from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0034_refused_sends')]

    initial = False

    operations = [
        ops.CreateModel(
            name='SmppReply',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('message_id', fields.CharField(max_length=30)),
                ('account_id', fields.CharField(max_length=30)),
                ('sender', fields.CharField(max_length=20)),
                ('destination', fields.CharField(max_length=20)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('due_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('attempts', fields.SmallIntField(default=0, db_default=0)),
            ],
            options={'table': 'smpp_replies', 'app': 'core', 'indexes': [Index(fields=['account_id', 'due_at']), Index(fields=['account_id', 'sender', 'id']), Index(fields=['created_at'])], 'pk_attr': 'id', 'table_description': 'A reply of a recipient, on its way to the account that sent the message that it answers.'},
            bases=['OwnedModel'],
        ),
        ops.AddField(
            model_name='Message',
            name='smpp_account_id',
            field=fields.CharField(null=True, max_length=30),
        ),
    ]
