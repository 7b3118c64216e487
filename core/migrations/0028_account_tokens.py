from tortoise import migrations
from tortoise.migrations import operations as ops
from core.organizations.models import TokenKind
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0027_waiting_room')]

    initial = False

    operations = [
        ops.CreateModel(
            name='AccountToken',
            fields=[
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('organization_id', fields.CharField(max_length=30)),
                ('account_id', fields.CharField(max_length=30)),
                ('kind', fields.CharEnumField(description='INVITATION: invitation\nRESET: password_reset', enum_type=TokenKind, max_length=20)),
                ('token_hash', fields.BinaryField()),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('expires_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'account_tokens', 'app': 'core', 'indexes': [Index(fields=['account_id']), Index(fields=['expires_at'])], 'pk_attr': 'id', 'table_description': 'A link that was sent to a person: whoever has it is that person. Only its keyed hash is kept,'},
            bases=['Model'],
        ),
        ops.AddConstraint(
            model_name='AccountToken',
            constraint=UniqueConstraint(fields=('token_hash',), name='account_tokens_key'),
        ),
    ]
