from django.db import migrations, models

LIST_ALL = """
    INSERT INTO ledger_unread (establishment, turns)
    SELECT establishment, 0 FROM ledger_event WHERE position = 0"""
"""Every house that has begun: whoever has read everything is taken off by the workers."""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_begun")]

    operations = [
        migrations.CreateModel(
            name="Unread",
            fields=[
                ("establishment", models.UUIDField(primary_key=True, serialize=False)),
                ("turns", models.PositiveBigIntegerField(db_default=0, default=0)),
            ],
        ),
        migrations.RunSQL(LIST_ALL, migrations.RunSQL.noop),
    ]
