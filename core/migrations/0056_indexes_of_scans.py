from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0055_indexes_of_filters')]

    initial = False

    operations = [
        ops.AddIndex(
            model_name='PushDispatch',
            index=Index(fields=['organization_id', 'env', 'status', 'created_at', 'id']),
        ),
        ops.AddIndex(
            model_name='PushDispatch',
            index=Index(fields=['organization_id', 'env', 'origin', 'created_at', 'id']),
        ),
        ops.AddIndex(
            model_name='SmppReply',
            index=Index(fields=['organization_id', 'created_at', 'message_id']),
        ),
        ops.AddIndex(
            model_name='WebhookEvent',
            index=WhereIndex(fields=['organization_id', 'type'], name='webhook_events_uncommon', where="type NOT IN ('message.sent', 'message.delivered', 'message.read', 'message.received', 'sms.delivered', 'sms.received', 'sms.clicked', 'rcs.delivered', 'rcs.read', 'rcs.clicked', 'email.delivered', 'email.opened', 'email.clicked', 'instagram.message.sent', 'instagram.message.received', 'contact.created', 'journey.entered', 'journey.completed', 'journey.called')"),
        ),
    ]
