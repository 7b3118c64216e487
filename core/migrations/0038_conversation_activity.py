from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex

class Migration(migrations.Migration):
    dependencies = [('core', '0037_email_sender_verifications')]

    initial = False

    operations = [
        ops.AddIndex(
            model_name='ConversationPair',
            index=WhereIndex(fields=['organization_id', 'env', 'last_inbound_at', 'id'], name='conversation_pairs_by_activity', where='last_inbound_at IS NOT NULL'),
        ),
    ]
