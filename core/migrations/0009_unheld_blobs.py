from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0008_companies_and_pipelines')]

    initial = False

    operations = [
        ops.CreateModel(
            name='OrphanedBlob',
            fields=[
                ('organization_id', fields.CharField(max_length=30)),
                ('env', fields.CharField(max_length=4)),
                ('key', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=120)),
                ('due_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'unheld_blobs', 'app': 'core', 'indexes': [Index(fields=['due_at'])], 'pk_attr': 'key', 'table_description': 'A file to be removed at `due_at` unless a record takes it before. Written before the bytes are, so that a crash'},
            bases=['OwnedModel'],
        ),
    ]
