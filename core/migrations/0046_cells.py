from tortoise import migrations
from tortoise.migrations import operations as ops
from core.cells.models import CellState, KeyKind
from tortoise import fields
from tortoise.indexes import Index
from tortoise.migrations.constraints import UniqueConstraint

class Migration(migrations.Migration):
    dependencies = [('core', '0045_smpp_link')]

    initial = False

    operations = [
        ops.CreateModel(
            name='CellRow',
            fields=[
                ('name', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=24)),
                ('url_cipher', fields.TextField(unique=False)),
                ('state', fields.CharEnumField(description='OPEN: open\nDRAINING: draining', db_default='open', enum_type=CellState, max_length=12)),
                ('created_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'cells', 'app': 'core', 'pk_attr': 'name', 'table_description': 'A database of the installation besides the home. `state`: a `draining` one takes no new organizations.'},
            bases=['Model'],
        ),
        ops.CreateModel(
            name='DirectoryEntry',
            fields=[
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('kind', fields.CharEnumField(description='API_KEY: api_key\nSESSION: session\nEMAIL: email\nLINK: link\nPLATFORM_ID: platform_id\nSMPP: smpp', enum_type=KeyKind, max_length=12)),
                ('key_hash', fields.BinaryField()),
                ('organization_id', fields.CharField(max_length=30)),
                ('noted_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'directory_entries', 'app': 'core', 'indexes': [Index(fields=['organization_id'])], 'pk_attr': 'id', 'table_description': 'Whose a credential, an address or an id is, where that lives in another cell than the home. `key_hash`: as the'},
            bases=['Model'],
        ),
        ops.AddConstraint(
            model_name='DirectoryEntry',
            constraint=UniqueConstraint(fields=('kind', 'key_hash', 'organization_id'), name='directory_entries_key'),
        ),
        ops.CreateModel(
            name='OrganizationCell',
            fields=[
                ('organization_id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('cell', fields.CharField(max_length=24)),
                ('changed_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'organization_cells', 'app': 'core', 'indexes': [Index(fields=['cell'])], 'pk_attr': 'organization_id', 'table_description': 'In which cell an organization lives that does not live in the home.'},
            bases=['Model'],
        ),
    ]
