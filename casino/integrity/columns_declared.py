"""Every column of every table, declared: see `columns`. In words: docs/reference/columns.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from casino.integrity.column_kinds import Declared, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

Tables = Mapping[str, str]
"""The columns of each table, spaces between them."""

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
"""By the stage of a verification that holds them against what was hashed."""

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
    "records": {
        "attendants_employment": (
            "id role since until attendant_id establishment_id player invitation_id"
        ),
        "attendants_invitation": (
            "id name role made_at expires_at revoked_at accepted_at accepted_by_id "
            "establishment_id invited_by_id"
        ),
        "attendants_tablet": "id name enrolled_at withdrawn_at enrolled_by_id establishment_id",
        "dice_diceset": (
            "id number sides count colour withdrawn establishment_id state issued_to_id"
        ),
        "establishments_establishment": (
            "id name currency currency_symbol coin_digits time_zone day_cutoff cash_threshold "
            "closing_grace counts_floats denominations large_prize setting_up tips_allowed "
            "two_configure publishes_rules idle_after wall wall_names wall_stakes "
            "pin_approves_voids language locale alarms_one_in"
        ),
        "establishments_houserules": (
            "id game version effective_from played options fee home_throws deviations text "
            "establishment_id set_by_id"
        ),
        "establishments_table": "id name stake_min stake_max in_use establishment_id wall",
        "home_throws_homethrow": (
            "id low middle high effective_from story override establishment_id set_by_id game"
        ),
        "settlement_prizerule": "id ruleset kind at prize amount active establishment_id",
    },
    "projections": {
        "approvals_exceptionrow": (
            "position what kind stream stream_version event_type actor asked_by reason before "
            "occurred_at recorded_at gaming_day establishment_id about amount"
        ),
        "approvals_requestrow": (
            "id kind subject reason amount beneficiaries asked_by asked_at gaming_day position "
            "game state decided_by decided_at decided_position decision reviewed_by reviewed_at "
            "review in_order establishment_id open"
        ),
        "cash_balancemark": "kind name position debits credits establishment_id",
        "cash_cageslip": (
            "number way amount reason asked_by approved_by at gaming_day position establishment_id"
        ),
        "cash_countrow": (
            "count purpose state begun_at ended_at gaming_day attempts counters sheet counted "
            "expected over_short differed position establishment_id table_id"
        ),
        "cash_feeday": (
            "gaming_day table taken expected counted over_short counts counted_at establishment_id"
        ),
        "cash_shiftrow": (
            "opener fills credits bought_in cashed_out boxed other over_short shift holder "
            "opened_at opened_day closed_at closed_day ended opened establishment_id table_id"
        ),
        "cash_sliprow": (
            "number kind amount sheet reason request asked_by asked_at approved_by issued_at "
            "gaming_day received_by received_at position establishment_id table_id"
        ),
        "cash_tableday": (
            "opener fills credits bought_in cashed_out boxed other over_short gaming_day taken "
            "establishment_id table_id"
        ),
        "cash_tip": "position table attendant amount at gaming_day by establishment_id",
        "gaming_days_gamingday": (
            "day state opened_at closing_at closing_position by closed_at closed_position "
            "signed_by signed_at rounds staked paid fees over_short establishment_id"
        ),
        "gaming_days_lateentry": (
            "position kind gaming_day meant_for occurred_at recorded_at seconds stream event_type "
            "actor device establishment_id"
        ),
        "devices_gaprow": (
            "position game number device first last filled held_by found_at gaming_day open "
            "closed_by closed_at reason establishment_id table_id"
        ),
        "devices_laterow": (
            "position game number device seq term why command_id command words made_by made_at "
            "listed_at gaming_day tries refused state decided_by decided_at decided_position "
            "reason establishment_id table_id"
        ),
        "dice_dicestep": (
            "establishment_id position dice_set what at gaming_day actor asked_by table game "
            "in_order supplier reference said"
        ),
        "disputes_disputerow": (
            "position game number ruleset round first cause seq reason raised_by raised_at "
            "occurred_at gaming_day voided_position outcome decided_by decided_at decided_position "
            "decision establishment_id table_id"
        ),
        "disputes_seated": "player position game establishment_id",
        "establishments_change": (
            "position at gaming_day kind happened thing label actor asked_by alone reason before "
            "after establishment_id"
        ),
        "search_eventblock": "block first_at last_at establishment_id",
        "search_eventterm": "term block offsets establishment_id",
        "search_lotline": (
            "game event ruleset amount since position state taker taken_position establishment_id"
        ),
        "search_roundamount": "amount began_at position establishment_id",
        "search_roundline": (
            "position game round ruleset gaming_day began_at last_at first last last_position "
            "throws staked won over void establishment_id table_id"
        ),
        "search_roundperson": "who began_at position establishment_id",
        "play_dayfigures": (
            "gaming_day games rounds throws voids bought_in staked paid fees establishment_id"
        ),
        "play_gamecard": (
            "game ruleset status opened_at gaming_day changed_at players round pot version "
            "establishment_id table_id"
        ),
        "play_gamespan": "game ruleset opened opened_at last establishment_id table_id",
        "settlement_payout": (
            "position seq game round cause payer payee amount rules booked_at gaming_day state "
            "establishment_id table_id held why"
        ),
        "settlement_prizeissued": "rule player position establishment_id",
        "play_quarterfigures": (
            "gaming_day begins rounds bought_in staked paid fees establishment_id"
        ),
        "play_roundrow": (
            "position game ruleset number first last began began_at ended_at gaming_day throws "
            "paying scoring staked rolled_in paid rolled_out direct fee carried winners losers "
            "points homes undecided voided establishment_id table_id booked booked_at "
            "booked_direct booked_fee booked_paid booked_rolled_in booked_rolled_out booked_staked "
            "reach"
        ),
        "settlement_tally": "ruleset player points establishment_id share",
        "settlement_withheld": "game establishment_id waiting",
        "players_cashday": "gaming_day player cash_in cash_out moves establishment_id",
        "players_cashmove": (
            "position seq player gaming_day at cash_in cash_out reason where game by "
            "establishment_id"
        ),
        "exclusions_exclusion": (
            "position player since until reason by at lifted_at lifted_by lifted_because "
            "establishment_id"
        ),
        "cash_owed": "kind name player game amount changed_at gaming_day establishment_id",
        "players_prizetohandout": (
            "position player prize amount game issued_at gaming_day handed_at handed_by "
            "handed_position establishment_id"
        ),
        "exclusions_seatrefused": (
            "position player named game table by at gaming_day establishment_id"
        ),
        "surveillance_alarm": (
            "position id kind name sides by throws counts log10 change streams cause raised_at "
            "gaming_day open acknowledged_by acknowledged_at acknowledged_position reason "
            "establishment_id alpha"
        ),
        "surveillance_curvepoint": (
            "kind name sides mark throws position log10 change establishment_id"
        ),
        "surveillance_dicestream": (
            "kind name sides throws missing counts before log10 highest passed_20 passed_100 "
            "passed_1000 change state last_position alarm establishment_id"
        ),
        "surveillance_entryrow": (
            "kind name entries no_throws cocked off_table interference judged spared denied lags "
            "repeats repeatable repeats_due repeat_log10 last establishment_id"
        ),
        "surveillance_leadrow": (
            "kind name game pays leader chances no_throws highest last establishment_id"
        ),
        "surveillance_sealedhand": "game player table dice_set attendant establishment_id",
    },
}
"""By the stage that makes them once more."""

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
                "is_active date_joined id pin sign_in_epoch language"
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
        "What a token is called: a name can be put right and forgotten, so no event has it.",
        {
            "pseudonyms_player": "token name establishment_id",
        },
    ),
    (
        "A log of doors, which triggers keep as it was written; nothing is decided by it.",
        {
            "attendants_signin": (
                "id at what unknown way address device attendant_id by_id establishment_id"
            ),
            "attendants_straysignin": "id at what unknown way address device attendant_id by_id",
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
            "integrity_signingtrouble": "establishment_id kind says since",
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
        "A file that was prepared from the ledger, and can be prepared again.",
        {
            "reports_preparedfile": (
                "job format name sha256 size content made_at refused dropped_at earlier "
                "establishment_id"
            ),
        },
    ),
)
"""Each with why nobody need hold it."""


def declared() -> Iterator[Declared]:
    for kind, stages in ((Kind.TRUTH, TRUTH), (Kind.DERIVED, DERIVED)):
        for by, tables in stages.items():
            for table, columns in tables.items():
                yield Declared(table, kind, tuple(columns.split()), by=by)
    for because, tables in OF_NO_ACCOUNT:
        for table, columns in tables.items():
            yield Declared(table, Kind.NO_ACCOUNT, tuple(columns.split()), because=because)
