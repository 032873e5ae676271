"""
Trees, checkpoints, and the place of every answered command in the chain that checkpoints sign.

Answers that were given before get theirs in the order of what they brought about, and of their
moments. Until the end of this migration the receipts do not guard themselves: `after_migrate` puts
the triggers in again.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

NUMBERED = """
    WITH numbered AS (
        SELECT establishment, command_id, row_number() OVER (
            PARTITION BY establishment ORDER BY recorded_at, first_position, command_id) - 1 AS place
        FROM ledger_commandreceipt)
    UPDATE ledger_commandreceipt SET seq = numbered.place FROM numbered
    WHERE numbered.establishment = ledger_commandreceipt.establishment
        AND numbered.command_id = ledger_commandreceipt.command_id"""


def number(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE ledger_commandreceipt DISABLE TRIGGER USER")
    else:
        schema_editor.execute("DROP TRIGGER IF EXISTS ledger_commandreceipt_no_update")
    schema_editor.execute(NUMBERED)
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE ledger_commandreceipt ENABLE TRIGGER USER")


class Migration(migrations.Migration):
    # Updated rows and a changed table do not go into one transaction of PostgreSQL.
    atomic = False
    dependencies = [("ledger", "0004_pots_fall_by_rule")]
    operations = [
        migrations.CreateModel(
            name="Tile",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "establishment", "level", "index",
                        blank=True, editable=False, primary_key=True, serialize=False,
                    ),
                ),
                ("establishment", models.UUIDField()),
                ("level", models.PositiveSmallIntegerField()),
                ("index", models.PositiveBigIntegerField()),
                ("hashes", models.BinaryField(max_length=8192)),
                ("root", models.BinaryField(max_length=32)),
            ],
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "establishment", "epoch", "size",
                        blank=True, editable=False, primary_key=True, serialize=False,
                    ),
                ),
                ("establishment", models.UUIDField()),
                ("epoch", models.PositiveIntegerField()),
                ("size", models.PositiveBigIntegerField()),
                ("origin", models.CharField(max_length=200)),
                ("root", models.BinaryField(max_length=32)),
                ("receipts", models.PositiveBigIntegerField()),
                ("chain", models.BinaryField(max_length=32)),
                ("note", models.TextField()),
                ("signed_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="commandreceipt",
            name="seq",
            field=models.PositiveBigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.RunPython(number, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="commandreceipt",
            constraint=models.UniqueConstraint(
                fields=("establishment", "seq"), name="ledger_commandreceipt_seq"
            ),
        ),
    ]
