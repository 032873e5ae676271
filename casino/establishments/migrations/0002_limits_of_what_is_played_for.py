from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("establishments", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="table",
            name="stake_min",
            field=models.PositiveBigIntegerField(
                blank=True,
                help_text="Least stake, ante or price of a game here; empty: none.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="stake_max",
            field=models.PositiveBigIntegerField(
                blank=True,
                help_text="Greatest stake, ante or price of a game here; empty: none.",
                null=True,
            ),
        ),
    ]
