from tortoise import migrations
from tortoise.migrations import operations as ops

# What a batch of rows travels in (core/foundation/database/batch_rows.py). It is never changed: an older process
# that works beside this migration would write rows of another width. A type of more columns gets a name of its own.

COLUMNS = {"text": 40, "bigint": 10, "timestamptz": 10, "bytea": 4, "bool": 6}

CREATE = f"""CREATE TYPE batch_row AS ({", ".join(
    f"{type}_{number} {type}" for type, count in COLUMNS.items() for number in range(1, count + 1)
)})"""


class Migration(migrations.Migration):
    dependencies = [('core', '0053_smpp_what_expired')]

    initial = False

    operations = [ops.RunSQL(CREATE, "DROP TYPE batch_row")]
