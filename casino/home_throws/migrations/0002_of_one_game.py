from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("home_throws", "0001_initial")]

    operations = [
        migrations.RemoveConstraint(model_name="homethrow", name="one_home_throw_at_a_time"),
        migrations.AddField(
            model_name="homethrow",
            name="game",
            field=models.CharField(
                blank=True,
                choices=[("stone-hand", "Stone hand"), ("cinnabar-gate", "Cinnabar Gate")],
                default="",
                help_text="Empty: every game that has one.",
                max_length=32,
            ),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name="homethrow",
            constraint=models.UniqueConstraint(
                fields=("establishment", "game", "effective_from"),
                name="one_home_throw_at_a_time",
            ),
        ),
    ]
