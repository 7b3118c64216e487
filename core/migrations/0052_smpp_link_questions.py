from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from tortoise import fields

class Migration(migrations.Migration):
    dependencies = [('core', '0051_empty_arrays')]

    initial = False

    operations = [
        ops.AddField(
            model_name='SmppLinkPart',
            name='ask_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='SmppLinkPart',
            name='said_id',
            field=fields.CharField(null=True, max_length=65),
        ),
        ops.AddField(
            model_name='SmppLinkPart',
            name='source',
            field=fields.CharField(null=True, max_length=20),
        ),
        ops.AddIndex(
            model_name='SmppLinkPart',
            index=WhereIndex(fields=['link', 'ask_at'], name='smpp_link_parts_to_ask', where='ask_at IS NOT NULL'),
        ),
    ]
