import secrets

import django.core.validators
from django.db import migrations, models

import casino.establishments.models

KEY = "What the address of the wall board ends in; whoever has it may look."
IDLE = "Minutes without an entry after which a table is marked on the floor; empty: never."


def give_keys(apps, schema_editor):
    """
    Each house and table an address of its own: a default would be one for all. Over the connection
    that migrates: another one would wait for it.
    """
    for name in ("Establishment", "Table"):
        rows = apps.get_model("establishments", name).objects.using(schema_editor.connection.alias)
        for pk in rows.values_list("pk", flat=True):
            rows.filter(pk=pk).update(wall_key=secrets.token_urlsafe(16))


def flag(model, name, told):
    return migrations.AddField(
        model_name=model, name=name, field=models.BooleanField(default=False, help_text=told)
    )


def to_come(model):
    return migrations.AddField(
        model_name=model, name="wall_key", field=models.CharField(max_length=22, null=True)
    )


def kept(model):
    return migrations.AlterField(
        model_name=model,
        name="wall_key",
        field=models.CharField(
            default=casino.establishments.models.new_wall_key,
            editable=False,
            help_text=KEY,
            max_length=22,
            unique=True,
        ),
    )


class Migration(migrations.Migration):
    dependencies = [("establishments", "0005_changes_as_they_are_read")]

    operations = [
        migrations.AddField(
            model_name="establishment",
            name="idle_after",
            field=models.PositiveSmallIntegerField(
                blank=True,
                default=10,
                help_text=IDLE,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(720),
                ],
            ),
        ),
        flag(
            "establishment",
            "wall",
            "Whether the wall board of the whole house is shown, to whoever has its address.",
        ),
        flag(
            "establishment",
            "wall_names",
            "Whether wall boards show names of players; else seat numbers.",
        ),
        flag(
            "establishment",
            "wall_stakes",
            "Whether wall boards show what each player has in play.",
        ),
        flag(
            "table",
            "wall",
            "Whether a wall board of the table is shown, to whoever has its address.",
        ),
        to_come("establishment"),
        to_come("table"),
        migrations.RunPython(give_keys, migrations.RunPython.noop),
        kept("establishment"),
        kept("table"),
    ]
