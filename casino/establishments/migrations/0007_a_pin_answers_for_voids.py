from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("establishments", "0006_what_floor_and_walls_show")]

    operations = [
        migrations.AddField(
            model_name="establishment",
            name="pin_approves_voids",
            field=models.BooleanField(
                default=False,
                help_text=(
                    "A supervisor's PIN on an enrolled tablet stands for both factors where a void"
                    " at a table takes back no more than a large prize. D2"
                ),
            ),
        ),
    ]
