from tortoise import migrations
from tortoise.migrations import operations as ops
from core.cells.move.models import GateState, MoveStep
from core.foundation.database.indexes import WhereIndex
from tortoise.contrib.postgres.fields import ArrayField
from tortoise import fields

# Who writes holds the lock until its transaction ends, and looks at the gate behind it; so whoever closed
# the gate and then had the lock alone knows that all who had found it open have ended. What the sequencer
# takes out of the queue of the feed is left there and not refused: it is everybody's.
GATE = """
       CREATE FUNCTION svc_organization_gate() RETURNS trigger LANGUAGE plpgsql AS $$
       DECLARE
           found_state text;
       BEGIN
           PERFORM pg_advisory_xact_lock_shared(hashtextextended('writes of ' || TG_ARGV[0], 0));
           SELECT g.state INTO found_state FROM organization_gates g
           WHERE g.organization_id = TG_ARGV[0] AND g.until > clock_timestamp();
           IF found_state = 'draining' THEN
               found_state := NULL;
           END IF;
           IF found_state = 'arriving' OR found_state IS NOT NULL AND TG_OP = 'DELETE' AND TG_TABLE_NAME = 'webhook_feed_queue'
           THEN
               RETURN NULL;
           ELSIF found_state IS NOT NULL THEN
               RAISE EXCEPTION 'the organization is being moved' USING ERRCODE = 'lock_not_available';
           ELSIF TG_OP = 'DELETE' THEN
               RETURN OLD;
           END IF;
           RETURN NEW;
       END $$
"""


class Migration(migrations.Migration):
    dependencies = [('core', '0046_cells')]

    initial = False

    operations = [
        ops.CreateModel(
            name='OrganizationGate',
            fields=[
                ('organization_id', fields.CharField(primary_key=True, unique=True, db_index=True, max_length=30)),
                ('state', fields.CharEnumField(description='ARRIVING: arriving\nDRAINING: draining\nCLOSED: closed\nGONE: gone', enum_type=GateState, max_length=12)),
                ('until', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'organization_gates', 'app': 'core', 'pk_attr': 'organization_id', 'table_description': 'What a cell does with the rows of an organization that moves into it or out of it, up to `until`.'},
            bases=['Model'],
        ),
        ops.CreateModel(
            name='OrganizationMove',
            fields=[
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('organization_id', fields.CharField(max_length=30)),
                ('source', fields.CharField(max_length=24)),
                ('target', fields.CharField(max_length=24)),
                ('step', fields.CharEnumField(description='PREPARING: preparing\nCOPYING: copying\nCATCHING_UP: catching_up\nDRAINING: draining\nCLOSING: closing\nSWITCHING: switching\nSWITCHED: switched\nREMOVING: removing\nDONE: done\nUNDOING: undoing\nUNDONE: undone', enum_type=MoveStep, max_length=12)),
                ('copied', ArrayField(db_default='{}', element_type='TEXT')),
                ('since', fields.BigIntField(null=True)),
                ('rows', fields.BigIntField(null=True)),
                ('writes_waited_ms', fields.IntField(null=True)),
                ('began_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('changed_at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
                ('ended_at', fields.DatetimeField(null=True, auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'organization_moves', 'app': 'core', 'indexes': [WhereIndex(fields=['organization_id'], name='organization_moves_open', where='ended_at IS NULL')], 'pk_attr': 'id', 'table_description': 'A move of an organization into another cell; its row lies in the home. `id`: also the block of numbers that the'},
            bases=['Model'],
        ),
        ops.RunSQL(GATE, 'DROP FUNCTION svc_organization_gate()'),
    ]
