from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise.indexes import Index

from core.foundation.database.indexes import WhereIndex

class Migration(migrations.Migration):
    dependencies = [('core', '0023_detached_partitions')]

    initial = False

    operations = [
        ops.AddIndex(
            model_name='Contact',
            index=WhereIndex(fields=['organization_id', 'env', 'id'], name='contacts_without_interaction', where='last_interaction_at IS NULL'),
        ),
        ops.AddIndex(
            model_name='ShortLink',
            index=WhereIndex(fields=['organization_id', 'env', 'message_id'], name='short_links_clicked', where='first_clicked_at IS NOT NULL'),
        ),
        ops.AddIndex(
            model_name='Contact',
            index=Index(fields=['organization_id', 'env', 'source', 'opt_in_status']),
        ),
    ]
