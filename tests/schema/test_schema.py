"""The tables, indexes, constraints, triggers and functions that an empty database is given."""

from pathlib import Path

import pytest
from django.db import connection

from tests.schema.described import described
from tests.support.on_citus import ON_CITUS

pytestmark = pytest.mark.django_db

REWRITE = "If it is meant: python -m tests.schema --write"

undistributed = pytest.mark.skipif(
    ON_CITUS, reason="Citus adds views and sequences; tests/scale/citus compares there and back."
)

FORBID = (
    "CREATE OR REPLACE FUNCTION ledger_forbid() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'"
)

# fmt: off
CHANGES = [
    # One of each kind of object. What differs is told in the last column.
    ("both",       "ALTER TABLE settlement_payout ADD COLUMN more integer",            "column"),
    ("both",       "DROP INDEX settlement_payout_table",                               "index"),
    ("both",       "CREATE INDEX more ON settlement_payout (seq)",                     "index"),
    ("both",       "CREATE VIEW more AS SELECT 1 AS one",                        "view more"),
    ("both",       "INSERT INTO health_workersign VALUES ('play', 'w', '2026-01-01T00:00:00Z')",
                                                                                 "row of"),
    ("sqlite",     "DROP TRIGGER ledger_event_no_update",                        "trigger"),
    ("sqlite",     "ALTER TABLE settlement_payout ADD COLUMN more integer CHECK (more > 0)",
                                                                                 "CHECK"),
    ("postgresql", "DROP TRIGGER ledger_no_truncate ON ledger_event",            "trigger"),
    ("postgresql", "ALTER TABLE ledger_event ENABLE TRIGGER ledger_no_truncate", "trigger"),
    ("postgresql", "ALTER TABLE settlement_payout ALTER COLUMN why SET DEFAULT 'x'",
                                                                                 "column why"),
    ("postgresql", "ALTER TABLE settlement_payout ALTER COLUMN why DROP NOT NULL",
                                                                                 "column why"),
    ("postgresql", 'ALTER TABLE settlement_payout ALTER COLUMN why TYPE text COLLATE "C"',
                                                                                 "COLLATE"),
    ("postgresql", "ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_pot_falls",
                                                                                 "constraint"),
    ("postgresql", "ALTER TABLE settlement_payout ADD CONSTRAINT c CHECK (seq > 1) NOT VALID",
                                                                                 "NOT VALID"),
    ("postgresql", "ALTER TABLE ledger_account SET (fillfactor = 60)",           "table"),
    ("postgresql", "ALTER FUNCTION ledger_append SECURITY INVOKER",              "function"),
    ("postgresql", "COMMENT ON FUNCTION ledger_append IS 'of yesterday'",        "function"),
    ("postgresql", FORBID,                                                       "function"),
    ("postgresql", "ALTER SEQUENCE auth_group_id_seq INCREMENT BY 2",            "sequence"),
    ("postgresql", "COMMENT ON TABLE settlement_payout IS 'Payouts'",                  "comment"),
    ("postgresql", "CREATE RULE r AS ON DELETE TO settlement_payout DO INSTEAD NOTHING", "rule r"),
    ("postgresql", "CREATE DOMAIN coins AS bigint",                              "type coins"),
]
# fmt: on


@undistributed
def test_migrations_make_the_database_that_is_written_down() -> None:
    """At first: what sixty migrations had made, before one for each app took their place."""
    written = Path(__file__).with_name(f"{connection.vendor}.txt").read_text(encoding="utf-8")

    assert described(connection) == written.splitlines(), REWRITE


@pytest.mark.rows(7)
@pytest.mark.parametrize(
    ("statement", "told"),
    [
        pytest.param(*row[1:], marks=undistributed if "SEQUENCE" in row[1] else ())
        for row in CHANGES
        if row[0] in {"both", connection.vendor}
    ],
)
def test_the_description_tells_of_every_kind_of_change(statement: str, told: str) -> None:
    before = set(described(connection))

    with connection.cursor() as cursor:
        cursor.execute(statement)

    differing = before ^ set(described(connection))
    assert any(told in line for line in differing)
