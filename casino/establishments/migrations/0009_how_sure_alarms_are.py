import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("establishments", "0008_language_and_locale")]

    operations = [
        migrations.AddField(
            model_name="establishment",
            name="alarms_one_in",
            field=models.PositiveIntegerField(
                default=1000,
                validators=[
                    django.core.validators.MinValueValidator(20),
                    django.core.validators.MaxValueValidator(1_000_000),
                ],
                help_text=(
                    "Of the throws that raise an alarm by evidence at most one stream in so many is"
                    " of fair dice. F2"
                ),
            ),
        ),
    ]
