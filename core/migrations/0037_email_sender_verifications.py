from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0036_demanded_second_factors')]

    initial = False

    operations = [
        ops.CreateModel(
            name='SenderVerification',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('address', fields.CharField(max_length=254)),
                ('code_hash', fields.BinaryField(null=True)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('expires_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('checked_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('outcome', fields.CharField(null=True, max_length=20)),
                ('due_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'email_sender_verifications', 'app': 'core', 'indexes': [Index(fields=['due_at'])], 'pk_attr': 'id', 'table_description': 'An address or a domain that an organization is to show to be its own; gone once it has.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='SenderVerification',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'address'), name='email_sender_verifications_once'),
        ),
        ops.AddField(
            model_name='EmailSender',
            name='created_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='EmailSender',
            name='method',
            field=fields.CharField(null=True, max_length=10),
        ),
        ops.AddField(
            model_name='EmailSender',
            name='public_id',
            field=fields.CharField(null=True, max_length=30),
        ),
    ]
