"""Numbers of the sequence book are added, and none is changed or taken out, by anybody (E5)."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from casino.devices.guarded import SEQUENCES


def guard(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    SEQUENCES.install(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("devices", "0001_leases_sequences_late_entries")]
    operations = [migrations.RunPython(guard, migrations.RunPython.noop)]
