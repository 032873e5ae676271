"""Lines of the sign-in log are added, and none is changed or taken out, by anybody (D2)."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from casino.attendants import guarded


def guard(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    guarded.install(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("attendants", "0002_how_people_prove_who_they_are")]
    operations = [migrations.RunPython(guard, migrations.RunPython.noop)]
