from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from core.push.models import PushDeliveryStatus, DispatchStatus, Origin, Platform, RateKind
from orjson import loads
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.fields.data import JSON_DUMPS
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import CheckConstraint, UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0011_rcs_and_email')]

    initial = False

    operations = [
        ops.CreateModel(
            name='PushApp',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('app_id', fields.CharField(max_length=80)),
                ('name', fields.CharField(null=True, max_length=120)),
                ('providers', ArrayField(db_default='{}', element_type='TEXT')),
                ('credentials', fields.TextField(null=True, unique=False)),
                ('vapid_public_key', fields.CharField(null=True, max_length=120)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'push_apps', 'app': 'core', 'pk_attr': 'id', 'table_description': 'An application that devices register for. `credentials` are those of its push providers, encrypted JSON.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='PushApp',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'app_id'), name='push_apps_once'),
        ),
        ops.CreateModel(
            name='PushDelivery',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('dispatch_id', fields.CharField(max_length=30)),
                ('device_id', fields.CharField(max_length=30)),
                ('platform', fields.CharEnumField(description='IOS: ios\nANDROID: android\nWEB: web', enum_type=Platform, max_length=8)),
                ('status', fields.CharEnumField(description='QUEUED: queued\nSENDING: sending\nDELIVERED: delivered\nFAILED: failed\nDROPPED: dropped', db_default='queued', enum_type=PushDeliveryStatus, max_length=9)),
                ('reason', fields.CharField(null=True, max_length=16)),
                ('attempts', fields.SmallIntField(db_default=0)),
                ('due_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('settled_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('opened_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'push_deliveries', 'app': 'core', 'indexes': [WhereIndex(fields=['dispatch_id', 'id'], name='push_deliveries_open', where="status IN ('queued', 'sending')")], 'pk_attr': 'id', 'table_description': "One device's row in the queue of a dispatch; slim, since a dispatch has as many as there are devices."},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='PushDelivery',
            constraint=UniqueConstraint(fields=('device_id', 'dispatch_id'), name='push_deliveries_once'),
        ),
        ops.CreateModel(
            name='PushDevice',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('app_id', fields.CharField(max_length=80)),
                ('token', fields.TextField(unique=False)),
                ('token_hash', fields.BinaryField()),
                ('platform', fields.CharEnumField(description='IOS: ios\nANDROID: android\nWEB: web', enum_type=Platform, max_length=8)),
                ('p256dh', fields.CharField(null=True, max_length=120)),
                ('auth', fields.CharField(null=True, max_length=40)),
                ('external_id', fields.CharField(null=True, max_length=200)),
                ('contact_id', fields.CharField(null=True, max_length=30)),
                ('user_name', fields.CharField(null=True, max_length=200)),
                ('user_email', fields.CharField(null=True, max_length=254)),
                ('user_phone', fields.CharField(null=True, max_length=16)),
                ('device_name', fields.CharField(null=True, max_length=200)),
                ('topics', ArrayField(db_default='{}', element_type='TEXT')),
                ('opted_in', fields.BooleanField()),
                ('opted_out_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('deactivated_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'push_devices', 'app': 'core', 'indexes': [WhereIndex(fields=['organization_id', 'env', 'platform'], name='push_devices_to_reach', where='opted_in AND deactivated_at IS NULL'), WhereIndex(fields=['organization_id', 'env', 'contact_id'], name='push_devices_by_contact', where='contact_id IS NOT NULL')], 'pk_attr': 'id', 'table_description': 'An installation of an app. Its token is found by hash: some are longer than an index takes.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='PushDevice',
            constraint=UniqueConstraint(fields=('organization_id', 'env', 'token_hash', 'app_id'), name='push_devices_once'),
        ),
        ops.CreateModel(
            name='PushDispatch',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('origin', fields.CharEnumField(description='COMPOSER: composer\nAPI: api\nAUTOMATION: automation', enum_type=Origin, max_length=10)),
                ('status', fields.CharEnumField(description='SCHEDULED: scheduled\nDEFERRED: deferred\nQUEUED: queued\nSENDING: sending\nSENT: sent\nFAILED: failed\nCANCELED: canceled', enum_type=DispatchStatus, max_length=10)),
                ('title', fields.CharField(max_length=200)),
                ('body', fields.CharField(max_length=2000)),
                ('deep_link', fields.CharField(null=True, max_length=2048)),
                ('image_url', fields.CharField(null=True, max_length=2048)),
                ('actions', fields.JSONField(null=True, encoder=JSON_DUMPS, decoder=loads)),
                ('platforms', ArrayField(element_type='TEXT')),
                ('segment', fields.CharField(null=True, max_length=30)),
                ('token_count', fields.IntField(null=True)),
                ('rate_kind', fields.CharEnumField(description='SIMPLE: simple\nRICH: rich\nSILENT: silent', enum_type=RateKind, max_length=8)),
                ('unit_coins', fields.BigIntField()),
                ('captured_coins', fields.BigIntField(db_default=0)),
                ('released_coins', fields.BigIntField(db_default=0)),
                ('scheduled_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('quiet_deferred_to', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('due_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('reach', fields.IntField()),
                ('open_count', fields.IntField()),
                ('delivered_ios', fields.IntField(db_default=0)),
                ('delivered_android', fields.IntField(db_default=0)),
                ('delivered_web', fields.IntField(db_default=0)),
                ('failed_ios', fields.IntField(db_default=0)),
                ('failed_android', fields.IntField(db_default=0)),
                ('failed_web', fields.IntField(db_default=0)),
                ('opened_ios', fields.IntField(db_default=0)),
                ('opened_android', fields.IntField(db_default=0)),
                ('opened_web', fields.IntField(db_default=0)),
                ('opened_by_nobody', fields.IntField(db_default=0)),
                ('opted_out', fields.IntField(db_default=0)),
                ('request_id', fields.CharField(null=True, max_length=64)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('started_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('completed_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'push_dispatches', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'env', 'created_at', 'id']), WhereIndex(fields=['due_at'], name='push_dispatches_due', where='due_at IS NOT NULL'), WhereIndex(fields=['env', 'started_at'], name='push_dispatches_under_way', where='started_at IS NOT NULL AND completed_at IS NULL')], 'pk_attr': 'id', 'table_description': 'A notification on its way to many devices. `open_count` are the rows of its queue that are not final.'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='PushDispatch',
            constraint=CheckConstraint(check='open_count >= 0', name='push_dispatches_open_not_negative'),
        ),
        ops.CreateModel(
            name='QuietWindow',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('start', fields.CharField(max_length=5)),
                ('end', fields.CharField(max_length=5)),
                ('zone', fields.CharField(max_length=64)),
                ('days', ArrayField(null=True, element_type='SMALLINT')),
                ('exceptions', ArrayField(db_default='{}', element_type='TEXT')),
                ('updated_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'quiet_windows', 'app': 'core', 'pk_attr': 'id', 'table_description': 'One for each organization and environment, whatever the channel. `start` and `end` are wall clock times (`22:00`)'},
            bases=['OwnedModel'],
        ),
        ops.AddConstraint(
            model_name='QuietWindow',
            constraint=UniqueConstraint(fields=('organization_id', 'env'), name='quiet_windows_once'),
        ),
    ]
