# ruff: noqa: E501  (drafted by the migration writer)
"""Short links."""

from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0002_sms_whole')]

    initial = False

    operations = [
        ops.CreateModel(
            name='ShortLink',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('code', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=10)),
                ('message_id', fields.CharField(max_length=30)),
                ('channel', fields.CharField(max_length=10)),
                ('position', fields.SmallIntField()),
                ('url', fields.TextField(unique=False)),
                ('clicks', fields.BigIntField(default=0)),
                ('bot_clicks', fields.BigIntField(default=0)),
                ('first_clicked_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('last_clicked_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'short_links', 'app': 'core', 'indexes': [Index(fields=['message_id'])], 'pk_attr': 'code', 'table_description': 'One address in one message. Whoever knows the code may follow it: the code is the only credential.'},
            bases=['OwnedModel'],
        ),
        ops.RunSQL(
            # Room in each page for the counters, so that a click rewrites no index.
            sql=['ALTER TABLE short_links SET (fillfactor = 75)'],
            reverse_sql=['ALTER TABLE short_links RESET (fillfactor)'],
        ),
    ]
