from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields

class Migration(migrations.Migration):
    dependencies = [('core', '0040_sandbox_clocks')]

    initial = False

    operations = [
        ops.AddField(
            model_name='SmppBind',
            name='deliveries',
            field=fields.BigIntField(default=0, db_default=0),
        ),
        ops.AddField(
            model_name='SmppBind',
            name='ends_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='SmppBind',
            name='heard_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='SmppBind',
            name='submits',
            field=fields.BigIntField(default=0, db_default=0),
        ),
        ops.AddField(
            model_name='SmppReceipt',
            name='given_up_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='SmppReply',
            name='given_up_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
    ]
