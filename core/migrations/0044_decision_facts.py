from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from orjson import loads
from tortoise.fields.data import JSON_DUMPS
from tortoise import fields

class Migration(migrations.Migration):
    dependencies = [('core', '0043_journey_figures')]

    initial = False

    operations = [
        ops.AddField(
            model_name='Message',
            name='decision_facts',
            field=fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads),
        ),
        ops.AddField(
            model_name='PushDispatch',
            name='quote_id',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='RefusedSend',
            name='part_of',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddIndex(
            model_name='RefusedSend',
            index=WhereIndex(fields=['organization_id', 'env', 'part_of', 'at'], name='refused_sends_by_whole', where='part_of IS NOT NULL'),
        ),
    ]
