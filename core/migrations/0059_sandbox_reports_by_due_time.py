from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise.indexes import Index

class Migration(migrations.Migration):
    dependencies = [('core', '0058_sandbox_reports_by_channel')]

    initial = False

    operations = [
        ops.AddIndex(
            model_name='SandboxReport',
            index=Index(fields=['channel', 'due_at', 'organization_id']),
        ),
        ops.RemoveIndex(model_name='SandboxReport', fields=['due_at']),
        ops.RemoveIndex(model_name='SandboxReport', name='sandbox_reports_by_channel'),
    ]
