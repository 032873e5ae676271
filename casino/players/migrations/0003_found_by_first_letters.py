"""Players found by the first letters of their name (casino/players/regulars.py)."""

from django.db import migrations, models

import casino.players.models


class Migration(migrations.Migration):
    dependencies = [("players", "0002_what_the_ledger_says_of_players")]

    operations = [
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                models.F("establishment"),
                casino.players.models.FirstLetters("name"),
                name="players_by_first_letters",
            ),
        ),
    ]
