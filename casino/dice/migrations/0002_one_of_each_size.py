from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dice", "0001_initial")]

    operations = [
        migrations.RemoveConstraint(model_name="diceset", name="dice_exist"),
        migrations.AlterField(
            model_name="diceset",
            name="sides",
            field=models.PositiveSmallIntegerField(
                blank=True,
                choices=[(4, "d4"), (6, "d6"), (8, "d8"), (10, "d10"), (12, "d12")],
                help_text="Of each die; empty: one of each size, d4 d6 d8 d10 d12.",
                null=True,
            ),
        ),
        migrations.AddConstraint(
            model_name="diceset",
            constraint=models.CheckConstraint(
                condition=models.Q(sides__isnull=False, sides__in=(4, 6, 8, 10, 12), count__gte=1)
                | models.Q(sides__isnull=True, count=5),
                name="dice_exist",
                violation_error_message=(
                    "A set has one die or more of 4, 6, 8, 10 or 12 sides, or one of each size:"
                    " five dice."
                ),
            ),
        ),
    ]
