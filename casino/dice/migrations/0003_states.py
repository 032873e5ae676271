from django.db import migrations, models
import django.db.models.deletion


def withdrawn_ones(apps, schema_editor):
    """A set that was there counts as received, inspected and issued; or it is withdrawn."""
    here = schema_editor.connection.alias  # the owner's, not the one that runs the house
    sets = apps.get_model("dice", "DiceSet").objects.using(here)
    sets.filter(withdrawn=True).update(state="withdrawn")


class Migration(migrations.Migration):
    dependencies = [
        ("dice", "0002_one_of_each_size"),
        ("establishments", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="diceset",
            name="state",
            field=models.CharField(
                choices=[
                    ("received", "to be inspected"),
                    ("ready", "in the store"),
                    ("issued", "issued"),
                    ("withdrawn", "withdrawn"),
                    ("destroyed", "destroyed"),
                ],
                default="issued",
                editable=False,
                help_text="Added under Settings, a set counts as received, inspected and issued.",
                max_length=9,
            ),
        ),
        migrations.AddField(
            model_name="diceset",
            name="issued_to",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                help_text="The only table at which it may be thrown; empty: any.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="establishments.table",
            ),
        ),
        migrations.RunPython(withdrawn_ones, migrations.RunPython.noop),
    ]
