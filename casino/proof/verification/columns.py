"""
How a verification treats every column of every table: truth, derived, or of no account.

Truth is hashed: it is in the signed tree, in the chain of answers, or under a hash that is. Derived
columns are computed again and compared. A column of no account may have any value, and its
declaration says why. There is no fourth kind: a test reads the schema, and fails for a column
without a declaration and for a declaration without a column.

Columns are declared table by table, so that a new table has to be considered, and one by one if a
table is not computed again as a whole (`TRUTH`, `DERIVED`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final

from django.apps import apps

if TYPE_CHECKING:
    from collections.abc import Iterator


@cache
def every() -> tuple[Declared, ...]:
    return tuple(declarations())


def columns_of_stage(stage: str) -> Iterator[Declared]:
    """The declarations of the columns that a stage of a verification checks."""
    return (each for each in every() if each.by == stage)


def columns_checked(table: str) -> frozenset[str]:
    """The columns of a table that some stage of a verification checks."""
    return frozenset(
        column
        for each in every()
        if each.table == table and each.kind is not Kind.NO_ACCOUNT
        for column in each.columns
    )


# The declaration of every column of every table: see docs/reference/columns.md.


Tables = Mapping[str, str]
"""Table -> its columns, separated by spaces."""

PROVING: Final = (
    "How somebody proves who they are, and what they are called: theirs, not a house's. What they"
    " may do at a house is said by their employment there, and that is held."
)

TRUTH: Final[Mapping[str, Tables]] = {
    "events": {
        "ledger_event": (
            "event_id establishment position stream stream_version event_type schema_version "
            "command_id command_seq actor device correlation_id causation_id occurred_at "
            "recorded_at gaming_day body leaf_hash"
        ),
    },
    "receipts": {
        "ledger_commandreceipt": (
            "establishment command_id request_hash first_position last_position refusal_code "
            "refusal_detail actor recorded_at seq"
        ),
    },
    "signatures": {
        "ledger_checkpoint": "establishment epoch size origin root receipts chain note signed_at",
    },
    "hashes": {
        "cash_sealedcount": "command_id salt sheet establishment_id",
        "pseudonyms_text": "token salt text establishment_id",
    },
}
"""By the stage of a verification that compares them with what was hashed."""

DERIVED: Final[Mapping[str, Tables]] = {
    "events": {
        "ledger_transfer": (
            "transfer_id establishment position seq debit_kind debit_name credit_kind credit_name "
            "amount reason reverses"
        ),
    },
    "tiles": {
        "ledger_tile": "establishment level index hashes root",
    },
    "accounts": {
        "ledger_account": "establishment kind name debits credits",
    },
    "followers": {
        "ledger_subscription": "establishment name position",
        "ledger_parkedevent": "establishment subscription position stream",
    },
}
"""By the stage of a verification that computes them again."""

WHOLE: Final[Mapping[str, str]] = {
    "records": (
        "attendants_employment attendants_invitation attendants_tablet dice_diceset "
        "establishments_establishment establishments_houserules establishments_table "
        "home_throws_homethrow settlement_prizerule settlement_scoreboard"
    ),
    "projections": (
        "approvals_exceptionrow approvals_requestrow cash_balancemark cash_cageslip "
        "cash_countrow cash_feeday cash_shiftrow cash_sliprow cash_tableday cash_tip "
        "gaming_days_gamingday gaming_days_lateentry devices_gaprow devices_laterow "
        "dice_dicestep disputes_disputerow disputes_seated establishments_change "
        "search_eventblock search_eventterm search_lotline search_roundamount search_roundline "
        "search_roundperson play_dayfigures play_gamecard play_gamespan settlement_payout "
        "settlement_prizeissued play_quarterfigures play_roundrow settlement_tally "
        "settlement_season settlement_withheld players_cashday players_cashmove "
        "exclusions_exclusion cash_owed players_prizetohandout players_wait "
        "exclusions_seatrefused exclusions_playerlimit surveillance_alarm "
        "surveillance_curvepoint surveillance_dicestream surveillance_entryrow "
        "surveillance_leadrow surveillance_sealedhand"
    ),
}
"""
Tables by the stage that computes them again and compares every column: either events contain the
whole row (`verifying`), or subscribers write it (`rebuild`). A new column of such a table is
compared like the others. Columns that are not compared, or by another stage, are named above or
below.
"""

OF_NO_ACCOUNT: Final[tuple[tuple[str, Tables], ...]] = (
    (
        "A key to a door, kept back from every export; what lies behind the door is held.",
        {
            "attendants_invitation": "secret",
            "attendants_tablet": "secret",
            "establishments_establishment": "secret wall_key",
            "establishments_table": "wall_key",
        },
    ),
    (
        PROVING,
        {
            "attendants_attendant": (
                "password last_login is_superuser username first_name last_name email is_staff "
                "is_active date_joined id pin sign_in_epoch language chain"
            ),
            "attendants_factor": (
                "id kind name proof counter added_at used_at removed_at attendant_id"
            ),
            "attendants_recoverycode": "id code used_at attendant_id",
            "attendants_strongtoken": "token_id made_at",
            "knox_authtoken": "digest created user_id expiry token_key",
        },
    ),
    (
        "What a token is called, and how screens say it: names are forgotten, no event has them.",
        {
            "pseudonyms_player": "token name shown establishment_id",
        },
    ),
    (
        "Which houses sweeps ask for; one too few is found by the look over all of them.",
        {
            "ledger_unread": "establishment turns",
        },
    ),
    (
        "A log of doors, which triggers keep as it was written; nothing is decided by it.",
        {
            "attendants_signin": (
                "id at what unknown way address device attendant_id by_id establishment_id"
            ),
            "attendants_straysignin": (
                "id at what unknown way address device attendant_id by_id chain"
            ),
        },
    ),
    (
        "In which order somebody likes to see a list; nothing but the page looks different.",
        {
            "attendants_listpreference": "id listing sort lines attendant_id",
        },
    ),
    (
        "Guesses, counted for some minutes.",
        {
            "attendants_lockout": "key address since tries locked_until attendant_id",
        },
    ),
    (
        "Who is signed in with which browser; it ends by itself.",
        {
            "django_session": "session_key session_data expire_date",
        },
    ),
    (
        "Django's own: what anybody may do at a house does not come from it (0001).",
        {
            "attendants_attendant_groups": "id attendant_id group_id",
            "attendants_attendant_user_permissions": "id attendant_id permission_id",
            "auth_group": "id name",
            "auth_group_permissions": "id group_id permission_id",
            "auth_permission": "id content_type_id codename name",
            "django_admin_log": (
                "id object_id object_repr action_flag change_message content_type_id user_id "
                "action_time"
            ),
            "django_content_type": "id app_label model",
        },
    ),
    (
        "Django's note of how far the tables were migrated.",
        {
            "django_migrations": "id app name applied",
        },
    ),
    (
        "When something was last heard of; written over all evening.",
        {
            "health_workersign": "queue worker seen_at",
            "health_beatlease": "name holder fence renewed_at ends_at",
            "devices_heard": "game device heard_at establishment_id",
        },
    ),
    (
        "How a device numbered what it sent; what of it was late, dropped or skipped are events.",
        {
            "devices_deviceentry": (
                "game device seq command_id term made_by made_at received_at establishment_id"
            ),
        },
    ),
    (
        "What was said of a parked event, when, and how often it was tried.",
        {
            "ledger_parkedevent": "error parked_at attempts",
        },
    ),
    (
        "How copying and signing went; what is outside is read there, each time.",
        {
            "integrity_outsidecopy": (
                "destination epoch size copied_at error failed_at establishment_id failures "
                "tried_at"
            ),
            "integrity_signingtrouble": "establishment_id kind message since",
        },
    ),
    (
        "How a run over the ledger went; the next one finds the same again.",
        {
            "jobs_job": (
                "id kind alone once occasion asked_at parameters day since until start stop "
                "reached step attempt cursor figures found state worked_at finished_at reason "
                "asked_by_id establishment_id"
            ),
            "integrity_verificationfinding": "job seq details establishment_id",
            "regrade_regradedifference": "job seq game details establishment_id",
            "what_if_whatifgame": "job seq game undecided details establishment_id",
        },
    ),
    (
        "Of a chain: its own ledger says the same, and `chain verify` compares them.",
        {
            "chain_chain": "id name time_zone founded_at",
            "chain_chainmember": "id role since until attendant_id chain_id",
            "chain_chainhouse": "establishment_id since chain_id",
            "chain_proposal": (
                "id kind subject reason salt state asked_at decided_at answer asked_by_id chain_id "
                "decided_by_id"
            ),
        },
    ),
    (
        "How far workers are with what a chain decided; houses' ledgers say what was done.",
        {
            "chain_rollouthouse": "state attempt why changed_at establishment_id proposal_id",
            "chain_dicetransfer": (
                "proposal_id dice_set number dice state why changed_at source_id target_id"
            ),
        },
    ),
    (
        "Figures for the pages of a chain; workers make them again within minutes.",
        {
            "chain_housesummary": (
                "establishment_id summed_at due_at position gaming_day opens_at late_from closing "
                "last_closed games rounds throws bought_in staked paid fees running pots owed "
                "alarms approvals disputes held parked stopped unsound lag signed_size signed_at"
            ),
        },
    ),
    (
        "A file that was prepared from the ledger, and can be prepared again.",
        {
            "reports_preparedfile": (
                "job format name sha256 size content made_at refused dropped_at earlier "
                "establishment_id"
            ),
        },
    ),
)
"""Columns that nobody need check, each with the reason."""


def declarations() -> Iterator[Declared]:
    named = [*_declarations_by_name()]
    yield from named
    apart = {(each.table, column) for each in named for column in each.columns}
    models = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}  # noqa: SLF001
    for by, tables in WHOLE.items():
        for table in tables.split():
            columns = [str(field.column) for field in models[table]._meta.concrete_fields]  # noqa: SLF001
            rest = tuple(column for column in columns if (table, column) not in apart)
            yield Declared(table, Kind.DERIVED, rest, by=by)


def _declarations_by_name() -> Iterator[Declared]:
    for kind, stages in ((Kind.TRUTH, TRUTH), (Kind.DERIVED, DERIVED)):
        for by, tables in stages.items():
            for table, columns in tables.items():
                yield Declared(table, kind, tuple(columns.split()), by=by)
    for because, tables in OF_NO_ACCOUNT:
        for table, columns in tables.items():
            yield Declared(table, Kind.NO_ACCOUNT, tuple(columns.split()), because=because)


# The three kinds of columns: truth, derived, and of no account.


class Kind(StrEnum):
    TRUTH = "truth"
    DERIVED = "derived"
    NO_ACCOUNT = "of no account"


@dataclass(frozen=True, slots=True)
class Declared:
    """
    A declaration: columns of one table that are treated alike.

    :param by: the stage of a verification that checks them (docs/how-to/verify.md); else "".
    :param because: why nobody need check them; else "".
    """

    table: str
    kind: Kind
    columns: tuple[str, ...]
    by: str = ""
    because: str = ""
