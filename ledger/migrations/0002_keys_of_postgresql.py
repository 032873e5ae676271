"""
What Django cannot say: primary keys that lead with the establishment, so that tables can be
partitioned or sharded by it, and the CHECK that ties a leaf hash to its body.
"""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

STATEMENTS = (
    "ALTER TABLE ledger_event DROP CONSTRAINT ledger_event_pkey,"
    " DROP CONSTRAINT ledger_event_position,"
    " ADD CONSTRAINT ledger_event_position PRIMARY KEY (establishment, position)",
    "ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_pkey,"
    " DROP CONSTRAINT ledger_transfer_position_seq,"
    " ADD CONSTRAINT ledger_transfer_position_seq PRIMARY KEY (establishment, position, seq)",
    "ALTER TABLE ledger_event ADD CONSTRAINT ledger_event_leaf_hash"
    " CHECK (leaf_hash = sha256('\\x00'::bytea || body))",
    # Balances are rewritten in place: room for the new version of a row beside the old one.
    "ALTER TABLE ledger_account SET (fillfactor = 50)",
)


def tie(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        for statement in STATEMENTS:
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]
    operations = [migrations.RunPython(tie, migrations.RunPython.noop)]
