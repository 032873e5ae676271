"""
What Django cannot say: a primary key that leads with the establishment, so that the table can be
partitioned or sharded by it. Declared is a key of one column, for the admin's sake.
"""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

KEY = (
    "ALTER TABLE play_gamecard DROP CONSTRAINT play_gamecard_pkey,"
    " ADD PRIMARY KEY (establishment_id, game)"
)


def tie(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(KEY)


class Migration(migrations.Migration):
    dependencies = [("play", "0001_initial")]
    operations = [migrations.RunPython(tie, migrations.RunPython.noop)]
