"""A2: what leaves a pot goes to players, held or not, to the rollover, or is the fee."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0003_lines_of_an_account_in_order")]
    operations = [
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("debit_kind", "pot"), _negated=True),
                    ("credit_kind__in", ["fees", "held", "rollover", "stake"]),
                    _connector="OR",
                ),
                name="ledger_transfer_pot_falls",
            ),
        ),
    ]
