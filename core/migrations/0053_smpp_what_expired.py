from tortoise import migrations
from tortoise.migrations import operations as ops
from core.smpp.models import LongReplies
from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField

class Migration(migrations.Migration):
    dependencies = [('core', '0052_smpp_link_questions')]

    initial = False

    operations = [
        ops.AddField(
            model_name='SmppAccount',
            name='certificates',
            field=ArrayField(null=True, element_type='text'),
        ),
        ops.AddField(
            model_name='SmppAccount',
            name='long_replies',
            field=fields.CharEnumField(default=LongReplies.PARTS, description='PARTS: parts\nPAYLOAD: payload', db_default='parts', enum_type=LongReplies, max_length=8),
        ),
        ops.AddField(
            model_name='SmppBind',
            name='window_used',
            field=fields.SmallIntField(default=0, db_default=0),
        ),
        ops.AddField(
            model_name='SmppReceipt',
            name='expired_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='SmppReply',
            name='expired_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
    ]
