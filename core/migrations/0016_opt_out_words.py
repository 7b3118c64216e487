from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise.contrib.postgres.fields import ArrayField
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0015_email_addresses_in_any_case')]

    initial = False

    operations = [
        ops.CreateModel(
            name='OptOutWordList',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('leaving', ArrayField(db_default='{}', element_type='TEXT')),
                ('returning', ArrayField(db_default='{}', element_type='TEXT')),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'opt_out_words', 'app': 'core', 'pk_attr': 'id', 'table_description': 'The words by which people leave and come back, where an organization has chosen its own. A list may be empty.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='OptOutWordList',
            constraint=UniqueConstraint(fields=('organization_id', 'env'), name='opt_out_words_once'),
        ),
        ops.AddIndex(
            model_name='EmailSuppression',
            index=Index(fields=['organization_id', 'env', 'created_at']),
        ),
    ]
