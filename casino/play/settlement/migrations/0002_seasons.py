"""
Scoreboards get seasons: what is on a board becomes its first season, which is open.

The keys of points and prizes get the season. A composite key cannot be altered, so both tables are
made anew, and their rows are copied.
"""

import uuid

import django.db.models.deletion
from django.db import migrations, models

import casino.play.settlement.models

KEEP = [
    "CREATE TABLE tally_before AS SELECT * FROM settlement_tally",
    "CREATE TABLE issued_before AS SELECT * FROM settlement_prizeissued",
]
FILL = [
    "INSERT INTO settlement_season (establishment_id, ruleset, number, state)"
    " SELECT DISTINCT establishment_id, ruleset, 1, 'open' FROM tally_before",
    "INSERT INTO settlement_tally"
    " (establishment_id, ruleset, season, player, points, share, rounds)"
    " SELECT establishment_id, ruleset, 1, player, points, share, 0 FROM tally_before",
    "INSERT INTO settlement_prizeissued"
    " (establishment_id, ruleset, season, rule, player, position)"
    " SELECT issued.establishment_id, COALESCE(prize.ruleset, ''), 1, issued.rule, issued.player,"
    " issued.position FROM issued_before issued LEFT JOIN settlement_prizerule prize"
    " ON prize.establishment_id = issued.establishment_id AND prize.id = issued.rule",
    "DROP TABLE tally_before",
    "DROP TABLE issued_before",
]


def establishment() -> models.ForeignKey:
    return models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='establishments.establishment')


class Migration(migrations.Migration):

    dependencies = [
        ('establishments', '0004_wall_keys_of_a_house'),
        ('settlement', '0001_initial'),
    ]

    operations = [
        migrations.RunSQL(KEEP),
        migrations.DeleteModel(name='Tally'),
        migrations.DeleteModel(name='PrizeIssued'),
        migrations.CreateModel(
            name='Scoreboard',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('ruleset', models.CharField(default=casino.play.settlement.models.first_game, max_length=32, validators=[casino.play.settlement.models.check_on_offer], verbose_name='game')),
                ('season', models.CharField(choices=[('open', 'No end: until a manager ends it'), ('day', 'A gaming day'), ('week', 'A week, from Monday'), ('month', 'A month'), ('quarter', 'A quarter of a year'), ('until', 'Until a day')], default='open', max_length=8, verbose_name='length of a season')),
                ('until', models.DateField(blank=True, null=True, verbose_name='last gaming day')),
                ('place_tie', models.CharField(choices=[('split', 'They share the money of the places they take together'), ('all', 'Each gets the better prize')], default='split', max_length=8, verbose_name='equal points')),
                ('establishment', establishment()),
            ],
            options={
                'ordering': ['establishment', 'ruleset'],
                'constraints': [models.UniqueConstraint(fields=('establishment', 'ruleset'), name='one_scoreboard_of_a_game')],
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('pk', models.CompositePrimaryKey('establishment_id', 'ruleset', 'number', blank=True, editable=False, primary_key=True, serialize=False)),
                ('ruleset', models.CharField(max_length=32)),
                ('number', models.PositiveIntegerField(help_text="1 is the board's first.")),
                ('state', models.CharField(choices=[('open', 'running'), ('ended', 'ended, not closed yet'), ('closed', 'closed')], default='open', max_length=8)),
                ('first_day', models.DateField(help_text='Null: it began before there were seasons.', null=True)),
                ('last_day', models.DateField(help_text='Null: until a manager ends it.', null=True)),
                ('establishment', establishment()),
            ],
            options={
                'ordering': ['establishment', 'ruleset', 'number'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('establishment', 'ruleset'), name='one_season_at_a_time'), models.CheckConstraint(condition=models.Q(('state', 'open'), ('last_day__isnull', False), _connector='OR'), name='season_ends_on_a_day')],
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('pk', models.CompositePrimaryKey('establishment_id', 'ruleset', 'season', 'player', blank=True, editable=False, primary_key=True, serialize=False)),
                ('ruleset', models.CharField(max_length=32)),
                ('season', models.PositiveIntegerField(help_text='Its number on the board.')),
                ('player', models.CharField(max_length=16)),
                ('points', models.BigIntegerField(default=0)),
                ('share', models.CharField(default='0', help_text='Less than one: 2/3.', max_length=40)),
                ('rounds', models.IntegerField(default=0, help_text='In which the player threw or scored, and somebody scored.')),
                ('establishment', establishment()),
            ],
            options={
                'indexes': [models.Index(fields=['establishment', 'ruleset', 'season', '-points'], name='settlement_standing')],
            },
        ),
        migrations.CreateModel(
            name='PrizeIssued',
            fields=[
                ('pk', models.CompositePrimaryKey('establishment_id', 'ruleset', 'season', 'rule', 'player', blank=True, editable=False, primary_key=True, serialize=False)),
                ('ruleset', models.CharField(max_length=32)),
                ('season', models.PositiveIntegerField(help_text='Its number on the board.')),
                ('rule', models.UUIDField()),
                ('player', models.CharField(max_length=16)),
                ('position', models.PositiveBigIntegerField(help_text='Of the event that caused it.')),
                ('establishment', establishment()),
            ],
            options={
                'indexes': [models.Index(fields=['establishment', 'position'], name='settlement_prize_at')],
            },
        ),
        migrations.AlterField(
            model_name='prizerule',
            name='kind',
            field=models.CharField(choices=[('points', 'Reaching a number of points'), ('place', 'A place when the season is closed')], max_length=8, verbose_name='kind'),
        ),
        migrations.RunSQL(FILL),
    ]
