from tortoise import migrations
from tortoise.migrations import operations as ops
from core.foundation.database.indexes import WhereIndex
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0054_batch_rows')]

    initial = False

    operations = [
        ops.AddIndex(
            model_name='AuditEntry',
            index=Index(fields=['organization_id', 'env', 'action', 'at', 'id']),
        ),
        ops.AddIndex(
            model_name='AuditEntry',
            index=WhereIndex(fields=['organization_id', 'env', 'actor_id', 'at', 'id'], name='audit_entries_by_actor', where='actor_id IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='ConversationPair',
            index=WhereIndex(fields=['organization_id', 'env', 'sender_id', 'last_inbound_at', 'id'], name='conversation_pairs_of_sender', where='last_inbound_at IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='ConversationPair',
            index=WhereIndex(fields=['organization_id', 'env', 'contact_id'], name='conversation_pairs_of_contact', where='contact_id IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='PushDevice',
            index=Index(fields=['organization_id', 'env', 'app_id', 'created_at', 'id']),
        ),
        ops.AddIndex(
            model_name='PushDevice',
            index=Index(fields=['organization_id', 'env', 'platform', 'created_at', 'id']),
        ),
        ops.AddIndex(
            model_name='PushDevice',
            index=WhereIndex(fields=['organization_id', 'env', 'created_at', 'id'], name='push_devices_left_out', where='NOT (opted_in AND deactivated_at IS NULL)'),
        ),
        ops.AddIndex(
            model_name='RefusedSend',
            index=Index(fields=['organization_id', 'env', 'rule', 'at', 'id']),
        ),
        ops.AddIndex(
            model_name='RefusedSend',
            index=Index(fields=['organization_id', 'env', 'channel', 'at', 'id']),
        ),
        ops.AddIndex(
            model_name='SmppReceipt',
            index=WhereIndex(fields=['account_id', 'created_at'], name='smpp_receipts_left', where='given_up_at IS NOT NULL OR expired_at IS NOT NULL'),
        ),
    ]
