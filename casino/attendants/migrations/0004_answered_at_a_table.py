from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('attendants', '0003_the_log_is_written_once'),
    ]

    operations = [
        migrations.AlterField(
            model_name='signin',
            name='what',
            field=models.CharField(choices=[('signed_in', 'signed in'), ('wrong_password', 'wrong name or password'), ('locked', 'locked out'), ('unlocked', 'unlocked'), ('signed_out', 'signed out'), ('token_given', 'token for a program given'), ('factor_passed', 'second factor passed'), ('factor_refused', 'second factor refused'), ('factor_added', 'second factor added'), ('factor_removed', 'second factor removed'), ('codes_made', 'recovery codes made'), ('pin_set', 'PIN set'), ('pin_taken', 'took over by PIN'), ('pin_refused', 'wrong PIN'), ('one_act', 'answered at a table'), ('password_changed', 'password changed'), ('cut_off', 'signed out everywhere')], max_length=16),
        ),
    ]
