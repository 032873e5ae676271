from django.db import migrations, models

import casino.play.models


class Migration(migrations.Migration):
    dependencies = [("play", "0002_keys_of_postgresql")]

    operations = [
        migrations.AddField(
            model_name="tally",
            name="share",
            field=models.CharField(default="0", help_text="Less than one: 2/3.", max_length=40),
        ),
        migrations.AlterField(
            model_name="prizerule",
            name="ruleset",
            field=models.CharField(default="stone-hand", max_length=32, validators=[casino.play.models.played_here], verbose_name="game"),
        ),
    ]
