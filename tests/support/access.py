"""
Who may open what: the decision for every address of the house (controls D1, D1b).

`DECISIONS` is written by hand and compared with the URL table: an address that is not in it, or a
row whose address is gone, fails. Roles are those at the house that the address is about. It is one
file because it is one table, in which who reads it sees every address beside the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.urls import URLPattern, URLResolver, get_resolver

from casino.floor.tables.offline import bundles
from casino.house.attendants.models import Role
from tests.support.builders import opening, throw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tests.support.addressed_house import AddressedHouse

ATTENDANT, SUPERVISOR, MANAGER, AUDITOR = (
    Role.ATTENDANT,
    Role.SUPERVISOR,
    Role.MANAGER,
    Role.AUDITOR,
)
STAFF = frozenset(Role)
PLAYING = frozenset({ATTENDANT, SUPERVISOR, MANAGER})
APPROVING = frozenset({SUPERVISOR, MANAGER})
MANAGING = frozenset({MANAGER})
AUDITING = frozenset({MANAGER, AUDITOR})
OVERSEEING = frozenset({SUPERVISOR, MANAGER, AUDITOR})
ACKNOWLEDGING = APPROVING  # alarms about dice
ANYBODY = None


@dataclass(frozen=True)
class Opens:
    """
    :param get: the roles that may look; None: anybody, signed in or not; empty: there is nothing
        to look at.
    :param post: the roles that may send; as `get`.
    :param mine: the address names no house: it shows what is one's own, so that whoever works
        nowhere is let in and sees nothing.
    :param oneself: it is about nobody but whoever asks: enough that they have signed in.
    """

    get: frozenset[Role] | None = frozenset()
    post: frozenset[Role] | None = frozenset()
    mine: bool = False
    oneself: bool = False

    def roles(self, method: str) -> frozenset[Role] | None:
        return self.get if method == "GET" else self.post


HOUSE = "api/v1/establishments/<uuid:establishment>/"
GAME = "api/v1/games/<uuid:game>/"

OF_CHAINS: dict[str, frozenset[str]] = {
    "chain/": frozenset({"get"}),
    "chain/compare/": frozenset({"get"}),
    "chain/houses/<uuid:house>/": frozenset({"get"}),
    "chain/people/": frozenset({"get"}),
    "chain/people/sign-ins/": frozenset({"get"}),
    "chain/people/appoint/": frozenset({"get", "post"}),
    "chain/people/dismiss/": frozenset({"get", "post"}),
    "chain/proposals/": frozenset({"get"}),
    "chain/register/": frozenset({"get"}),
    "chain/dice/": frozenset({"get"}),
    "chain/dice/send/": frozenset({"get", "post"}),
    "api/v1/chain/dice/": frozenset({"get"}),
    "api/v1/chain/register/": frozenset({"get"}),
    "chain/proposals/settings/": frozenset({"get", "post"}),
    "chain/proposals/rules/<slug:game>/": frozenset({"get", "post"}),
    "chain/proposals/<uuid:proposal>/": frozenset({"get", "post"}),
    "api/v1/chain/": frozenset({"get"}),
    "api/v1/chain/proposals/": frozenset({"get", "post"}),
    "api/v1/chain/proposals/<uuid:proposal>/approve/": frozenset({"post"}),
    "api/v1/chain/proposals/<uuid:proposal>/reject/": frozenset({"post"}),
    "api/v1/chain/proposals/<uuid:proposal>/withdraw/": frozenset({"post"}),
    "api/v1/chain/proposals/<uuid:proposal>/again/": frozenset({"post"}),
    "api/v1/chain/roll-outs/": frozenset({"get"}),
    "api/v1/chain/houses/": frozenset({"get"}),
    "api/v1/chain/houses/<uuid:house>/days/": frozenset({"get"}),
    "api/v1/chain/people/": frozenset({"get"}),
    "api/v1/chain/sign-ins/": frozenset({"get"}),
}
"""Addresses for people of a chain alone, with their methods: nobody has a role there by a house."""

DECISIONS: dict[str, Opens] = {
    # Whoever comes to the door
    "healthz": Opens(ANYBODY),
    "healthz/web": Opens(ANYBODY),
    "sign-in/": Opens(ANYBODY, ANYBODY),
    "sign-out/": Opens(post=ANYBODY),
    "sign-in/language/": Opens(post=STAFF, oneself=True),
    # Whoever holds a receipt, or wants to know what the house has signed
    "ledger/verify.py": Opens(ANYBODY),
    "ledger/<uuid:establishment>/": Opens(ANYBODY),
    "ledger/<uuid:establishment>/checkpoint": Opens(ANYBODY),
    "ledger/<uuid:establishment>/keys": Opens(ANYBODY),
    "ledger/<uuid:establishment>/link/<int:old>": Opens(ANYBODY),
    "ledger/<uuid:establishment>/<int:position>/<str:leaf>/": Opens(ANYBODY),
    # Players before a wall board that the house has switched on
    "wall/<slug:key>/": Opens(ANYBODY),
    "wall/<slug:key>/board/": Opens(ANYBODY),
    # Guests of a house that has switched their page on; whoever holds a slip
    "g/<slug:house>/": Opens(ANYBODY),
    "g/<slug:house>/app.webmanifest": Opens(ANYBODY),
    "g/<slug:house>/rules/<slug:ruleset>/": Opens(ANYBODY),
    "g/<slug:house>/odds/<slug:ruleset>/": Opens(ANYBODY),
    "g/<slug:house>/slip/<slug:slip>/": Opens(ANYBODY),
    "g/<slug:house>/slip/<slug:slip>/proof": Opens(ANYBODY),
    "g/<slug:house>/me/<slug:code>/": Opens(ANYBODY, ANYBODY),
    "receipts/<uuid:game>/<int:cause>.<int:seq>/": Opens(STAFF),
    "receipts/<uuid:game>/<int:cause>.<int:seq>/file": Opens(STAFF),
    # The office
    "": Opens(STAFF),
    "house/": Opens(post=STAFF),
    "houses/": Opens(STAFF),
    # Of a chain: for its people alone, whatever they are at a house (tests/chain)
    **dict.fromkeys(OF_CHAINS, Opens()),
    "odds/": Opens(STAFF, mine=True),
    "odds/<slug:game>/": Opens(STAFF, mine=True),
    "find/": Opens(STAFF),
    # Setting up
    "set-up/": Opens(ANYBODY, ANYBODY),
    "set-up/go-on/": Opens(MANAGING),
    "set-up/house/": Opens(MANAGING, MANAGING),
    "set-up/tables/": Opens(MANAGING, MANAGING),
    "set-up/dice/": Opens(MANAGING, MANAGING),
    "set-up/games/": Opens(MANAGING, MANAGING),
    "set-up/home-throw/": Opens(MANAGING, MANAGING),
    "set-up/staff/": Opens(MANAGING, MANAGING),
    "set-up/done/": Opens(MANAGING, MANAGING),
    # Settings
    "settings/": Opens(AUDITING, MANAGING),
    "settings/tables/": Opens(AUDITING),
    "settings/tables/new/": Opens(MANAGING, MANAGING),
    "settings/tables/<uuid:table>/": Opens(AUDITING, MANAGING),
    "settings/dice/": Opens(AUDITING),
    "settings/dice/new/": Opens(MANAGING, MANAGING),
    "settings/dice/<uuid:dice_set>/": Opens(AUDITING, MANAGING),
    "settings/rules/": Opens(AUDITING),
    "settings/rules/<slug:game>/": Opens(AUDITING, MANAGING),
    "settings/home-throws/": Opens(AUDITING, MANAGING),
    "settings/prizes/": Opens(AUDITING),
    "settings/prizes/new/": Opens(MANAGING, MANAGING),
    "settings/prizes/<uuid:prize_rule>/": Opens(AUDITING, MANAGING),
    "settings/scoreboards/<slug:game>/": Opens(AUDITING, MANAGING),
    "settings/scoreboards/<slug:game>/end/": Opens(MANAGING, MANAGING),
    "settings/scoreboards/<slug:game>/adjust/": Opens(MANAGING, MANAGING),
    "settings/import/": Opens(MANAGING),
    "settings/import/<slug:what>/": Opens(MANAGING, MANAGING),
    "settings/import/<slug:what>/template.csv": Opens(MANAGING),
    "settings/changes/": Opens(AUDITING),
    # What waits for a second person
    "approvals/": Opens(STAFF),
    "approvals/history/": Opens(STAFF),
    "approvals/<uuid:request_id>/": Opens(STAFF, STAFF),
    "exceptions/": Opens(OVERSEEING),
    "controls/": Opens(AUDITING),
    # Reports
    "reports/": Opens(AUDITING),
    "reports/prepared/<uuid:preparation>/": Opens(AUDITING, AUDITING),
    "reports/prepared/<uuid:preparation>/<slug:form>/": Opens(AUDITING),
    "reports/<slug:report>/": Opens(AUDITING, AUDITING),
    # The money of tables
    "cash/": Opens(STAFF),
    "cash/slips/": Opens(STAFF),
    "cash/slips/<int:number>/": Opens(STAFF),
    "cash/inventory/": Opens(STAFF),
    "cash/shifts/": Opens(STAFF),
    "cash/counts/": Opens(STAFF),
    "cash/tables/<uuid:table>/": Opens(STAFF),
    "cash/tables/<uuid:table>/count/<slug:purpose>/": Opens(PLAYING, PLAYING),
    "cash/tables/<uuid:table>/call-off/": Opens(PLAYING, PLAYING),
    "cash/tables/<uuid:table>/sign/": Opens(post=PLAYING),
    "cash/tables/<uuid:table>/take/": Opens(post=PLAYING),
    "cash/tables/<uuid:table>/ask/<slug:kind>/": Opens(PLAYING, PLAYING),
    "cash/tables/<uuid:table>/slips/<int:number>/": Opens(post=PLAYING),
    # Dice
    "dice/": Opens(OVERSEEING),
    "dice/entries/": Opens(OVERSEEING),
    "dice/of/<slug:kind>/<slug:name>/": Opens(OVERSEEING),
    "dice/alarms/<uuid:alarm>/acknowledge/": Opens(OVERSEEING, ACKNOWLEDGING),
    # Proof
    "proof/": Opens(AUDITING),
    "proof/checkpoints/": Opens(AUDITING),
    "proof/verify/": Opens(AUDITING, AUDITING),
    "proof/verifications/<uuid:verification>/": Opens(AUDITING),
    "proof/retry/": Opens(AUDITING, MANAGING),
    # What would have been
    "jobs/": Opens(AUDITING),
    "what-if/": Opens(AUDITING, AUDITING),
    "what-if/<uuid:what_if>/": Opens(AUDITING),
    "what-if/<uuid:what_if>/stop/": Opens(AUDITING, AUDITING),
    # Accounts
    "accounts/": Opens(AUDITING),
    "accounts/cage-and-bank/": Opens(AUDITING, PLAYING),
    "accounts/fee-boxes/": Opens(STAFF),
    "accounts/fee-boxes/<uuid:table>/count/": Opens(PLAYING, PLAYING),
    "accounts/<slug:kind>/": Opens(AUDITING),
    "accounts/<slug:kind>/<path:name>/": Opens(AUDITING),
    # Players
    "players/": Opens(STAFF),
    "players/codes/": Opens(PLAYING, PLAYING),
    "players/excluded/": Opens(STAFF, APPROVING),
    "players/excluded/turned-away/": Opens(STAFF),
    "players/limits/": Opens(OVERSEEING),
    "players/cash-log/": Opens(OVERSEEING),
    "players/cash-log/transactions/": Opens(OVERSEEING),
    "players/cash-log/<str:day>/<slug:token>/": Opens(OVERSEEING),
    "players/unclaimed/": Opens(OVERSEEING),
    "players/unclaimed/<uuid:game>/<slug:token>/": Opens(post=PLAYING),
    "players/unclaimed/prizes/<int:position>/": Opens(post=PLAYING),
    "players/tips/": Opens(STAFF, PLAYING),
    "players/tips/<uuid:table>/<uuid:attendant>/": Opens(post=PLAYING),
    "players/waiting/": Opens(STAFF, PLAYING),
    "players/<slug:token>/shown/": Opens(post=APPROVING),
    "players/<slug:token>/limits/": Opens(post=APPROVING),
    "scoreboards/": Opens(STAFF),
    "scoreboards/<slug:game>/": Opens(STAFF),
    "players/waiting/<uuid:entry>/": Opens(post=PLAYING),
    "players/<slug:token>/": Opens(OVERSEEING, MANAGING),
    # Finding, and how things stood
    "games/": Opens(STAFF),
    "games/<uuid:game>/at/": Opens(STAFF),
    "games/<uuid:game>/at/<int:number>/": Opens(STAFF),
    "events/": Opens(OVERSEEING),
    "events/<int:position>/": Opens(OVERSEEING),
    "events/<int:position>/body": Opens(OVERSEEING),
    "tables/<uuid:table>/at/": Opens(STAFF),
    "pots/<uuid:game>/at/": Opens(STAFF),
    "pots/<uuid:game>/lineage/": Opens(STAFF),
    "house/at/": Opens(AUDITING),
    # Payouts
    "pots/": Opens(STAFF),
    "payouts/": Opens(STAFF),
    "payouts/resume/": Opens(STAFF, APPROVING),
    "payouts/inspect/": Opens(STAFF, APPROVING),
    "payouts/<uuid:game>/": Opens(STAFF, PLAYING),
    "payouts/<uuid:game>/witness/": Opens(post=APPROVING),
    "payouts/<uuid:game>/adjustments/<int:number>/": Opens(post=PLAYING),
    "payouts/<uuid:game>/<int:cause>.<int:seq>/": Opens(STAFF),
    # How people prove who they are
    "sign-in/second/": Opens(ANYBODY, ANYBODY),
    "sign-in/password/": Opens(ANYBODY, ANYBODY),
    "invitation/": Opens(ANYBODY, ANYBODY),
    "me/": Opens(STAFF),
    "me/second-factor/": Opens(STAFF, STAFF),
    "me/second-factor/app/": Opens(STAFF, STAFF),
    "me/second-factor/passkey/": Opens(STAFF, STAFF),
    # One's own, and shown before: test_people_second_factor.py.
    "me/second-factor/<uuid:factor>/remove/": Opens(),
    "me/recovery-codes/": Opens(STAFF, STAFF),
    "me/pin/": Opens(STAFF, PLAYING),
    "me/password/": Opens(STAFF, STAFF),
    "me/everywhere/": Opens(STAFF, STAFF),
    # Who works here
    "people/": Opens(AUDITING),
    "people/invite/": Opens(MANAGING, MANAGING),
    "people/invitations/<uuid:invitation>/revoke/": Opens(post=MANAGING),
    "people/sign-ins/": Opens(AUDITING),
    "people/access/": Opens(AUDITING),
    "people/tablets/": Opens(STAFF, APPROVING),
    "people/tablets/<uuid:tablet>/withdraw/": Opens(post=APPROVING),
    "people/<uuid:employment>/": Opens(AUDITING, MANAGING),
    # Gaming days
    "days/": Opens(STAFF),
    "days/late/": Opens(AUDITING),
    "days/<slug:day>/": Opens(STAFF, MANAGING),
    "days/<slug:day>/sign/": Opens(APPROVING, APPROVING),
    # Dice sets
    "dice/sets/": Opens(OVERSEEING),
    "dice/sets/receive/": Opens(APPROVING, APPROVING),
    "dice/sets/<uuid:dice_set>/": Opens(OVERSEEING),
    "dice/sets/<uuid:dice_set>/<slug:do>/": Opens(OVERSEEING, APPROVING),
    # Disputes
    "late/": Opens(OVERSEEING),
    "late/<uuid:game>/put/": Opens(OVERSEEING, APPROVING),
    "late/<uuid:game>/<int:number>/put/": Opens(OVERSEEING, APPROVING),
    "late/<uuid:game>/<int:number>/dismiss/": Opens(OVERSEEING, APPROVING),
    "late/<uuid:game>/gaps/<int:number>/close/": Opens(OVERSEEING, APPROVING),
    "demo/play/": Opens(post=PLAYING),
    "disputes/": Opens(STAFF),
    "disputes/find/": Opens(STAFF),
    "disputes/raise/<uuid:game>/": Opens(PLAYING, PLAYING),
    "disputes/<uuid:game>/<int:dispute>/": Opens(STAFF, APPROVING),
    "disputes/<uuid:game>/<int:dispute>/bundle/": Opens(OVERSEEING),
    # The floor
    "floor/": Opens(STAFF),
    "floor/tables/": Opens(STAFF),
    "floor/worker.js": Opens(ANYBODY),
    "floor/home-screen.json": Opens(ANYBODY),
    "floor/offline/<slug:ruleset>.<slug:version>.js": Opens(ANYBODY),
    "floor/practice/": Opens(PLAYING, PLAYING),
    "floor/attendant/": Opens(ANYBODY, ANYBODY),
    "floor/tables/<uuid:table>/": Opens(PLAYING, PLAYING),
    "floor/tables/<uuid:table>/players/": Opens(PLAYING),
    "floor/games/<uuid:game>/": Opens(STAFF),
    "floor/games/<uuid:game>/board/": Opens(STAFF),
    "floor/games/<uuid:game>/offline/": Opens(STAFF),
    "floor/games/<uuid:game>/log/": Opens(STAFF),
    "floor/games/<uuid:game>/rounds/<int:number>/": Opens(STAFF),
    "floor/games/<uuid:game>/table-events/": Opens(PLAYING),
    "floor/games/<uuid:game>/waiting/": Opens(PLAYING, PLAYING),
    "floor/games/<uuid:game>/scoreboard/": Opens(PLAYING, PLAYING),
    "floor/games/<uuid:game>/void/": Opens(PLAYING),
    "floor/games/<uuid:game>/change/": Opens(PLAYING),
    "floor/games/<uuid:game>/anew/": Opens(post=PLAYING),
    "floor/games/<uuid:game>/supervisor/": Opens(PLAYING, PLAYING),
    "floor/games/<uuid:game>/command/": Opens(post=PLAYING),
    "floor/games/<uuid:game>/entries/": Opens(post=PLAYING),
    "floor/games/<uuid:game>/lease/": Opens(post=PLAYING),
    # The API
    "api/schema/": Opens(ANYBODY),
    "api/docs/": Opens(ANYBODY),
    "api/v1/tokens/": Opens(post=ANYBODY),
    "api/v1/tokens/current/": Opens(),
    "api/v1/establishments/": Opens(STAFF, mine=True),
    HOUSE: Opens(STAFF),
    f"{HOUSE}tables/": Opens(STAFF),
    f"{HOUSE}rollovers/": Opens(STAFF),
    f"{HOUSE}configuration/": Opens(AUDITING, MANAGING),
    f"{HOUSE}house-rules/": Opens(STAFF),
    f"{HOUSE}scoreboards/": Opens(STAFF),
    f"{HOUSE}scoreboards/<slug:game>/end/": Opens(post=MANAGING),
    f"{HOUSE}scoreboards/<slug:game>/adjust/": Opens(post=MANAGING),
    f"{HOUSE}changes/": Opens(AUDITING),
    f"{HOUSE}ledger/": Opens(STAFF),
    f"{HOUSE}checkpoint/": Opens(STAFF),
    f"{HOUSE}consistency/": Opens(STAFF),
    f"{HOUSE}events/<int:position>/proof/": Opens(STAFF),
    f"{HOUSE}approvals/": Opens(STAFF),
    f"{HOUSE}approvals/<uuid:approval>/": Opens(STAFF),
    f"{HOUSE}approvals/<uuid:approval>/approve/": Opens(post=APPROVING),
    f"{HOUSE}approvals/<uuid:approval>/reject/": Opens(post=APPROVING),
    f"{HOUSE}approvals/<uuid:approval>/withdraw/": Opens(post=STAFF),
    f"{HOUSE}approvals/<uuid:approval>/alone/": Opens(post=APPROVING),
    f"{HOUSE}approvals/<uuid:approval>/review/": Opens(post=AUDITING),
    f"{HOUSE}reports/": Opens(AUDITING),
    f"{HOUSE}reports/prepared/": Opens(AUDITING, AUDITING),
    f"{HOUSE}reports/prepared/<uuid:preparation>/": Opens(AUDITING),
    f"{HOUSE}reports/prepared/<uuid:preparation>/stop/": Opens(post=AUDITING),
    f"{HOUSE}reports/prepared/<uuid:preparation>/<slug:form>/": Opens(AUDITING),
    f"{HOUSE}reports/<slug:report>/": Opens(AUDITING),
    f"{HOUSE}exceptions/": Opens(OVERSEEING),
    f"{HOUSE}custody/": Opens(STAFF),
    f"{HOUSE}tables/<uuid:table>/custody/": Opens(STAFF, PLAYING),
    f"{HOUSE}slips/": Opens(STAFF, PLAYING),
    f"{HOUSE}slips/<int:number>/": Opens(STAFF),
    f"{HOUSE}counts/": Opens(STAFF),
    f"{HOUSE}shifts/": Opens(STAFF),
    f"{HOUSE}inventory/": Opens(STAFF),
    f"{HOUSE}pots/": Opens(STAFF),
    f"{HOUSE}payouts/": Opens(STAFF),
    f"{HOUSE}payouts/resume/": Opens(post=APPROVING),
    f"{HOUSE}payouts/<uuid:game>/<int:cause>/<int:seq>/": Opens(STAFF),
    f"{HOUSE}payouts/<uuid:game>/<int:cause>/<int:seq>/receipt/": Opens(STAFF),
    f"{HOUSE}adjustments/": Opens(post=PLAYING),
    f"{HOUSE}dice/": Opens(OVERSEEING, APPROVING),
    f"{HOUSE}dice/<uuid:dice_set>/": Opens(OVERSEEING),
    f"{HOUSE}dice/<uuid:dice_set>/acts/": Opens(post=APPROVING),
    f"{HOUSE}dice/<uuid:dice_set>/inspections/": Opens(post=APPROVING),
    f"{HOUSE}people/": Opens(AUDITING),
    f"{HOUSE}access/": Opens(AUDITING),
    f"{HOUSE}sign-ins/": Opens(AUDITING),
    f"{HOUSE}accounts/": Opens(AUDITING),
    f"{HOUSE}accounts/<slug:kind>/": Opens(AUDITING),
    f"{HOUSE}accounts/<slug:kind>/<path:name>/": Opens(AUDITING),
    f"{HOUSE}cage/": Opens(AUDITING, PLAYING),
    f"{HOUSE}fee-boxes/": Opens(STAFF),
    f"{HOUSE}fee-boxes/<uuid:table>/counts/": Opens(post=PLAYING),
    f"{HOUSE}players/": Opens(STAFF),
    f"{HOUSE}limits/": Opens(OVERSEEING, APPROVING),
    f"{HOUSE}players/<slug:player>/erase/": Opens(post=MANAGING),
    f"{HOUSE}players/<slug:player>/readmit/": Opens(post=APPROVING),
    f"{HOUSE}exclusions/": Opens(OVERSEEING, APPROVING),
    f"{HOUSE}waiting/": Opens(STAFF, PLAYING),
    f"{HOUSE}players/<slug:player>/shown/": Opens(post=PLAYING),
    f"{HOUSE}scoreboards/<slug:game>/": Opens(STAFF),
    f"{HOUSE}waiting/<uuid:entry>/call/": Opens(post=PLAYING),
    f"{HOUSE}waiting/<uuid:entry>/skip/": Opens(post=PLAYING),
    f"{HOUSE}waiting/<uuid:entry>/take-off/": Opens(post=PLAYING),
    f"{HOUSE}seats-refused/": Opens(STAFF),
    f"{HOUSE}cash-log/": Opens(OVERSEEING),
    f"{HOUSE}unclaimed/": Opens(OVERSEEING),
    f"{HOUSE}late-cash-outs/": Opens(post=PLAYING),
    f"{HOUSE}prizes/<int:position>/hand-out/": Opens(post=PLAYING),
    f"{HOUSE}prizes/<int:position>/ask/": Opens(post=PLAYING),
    f"{HOUSE}disputes/": Opens(STAFF),
    f"{HOUSE}disputes/<uuid:game>/<int:dispute>/": Opens(STAFF),
    f"{HOUSE}disputes/<uuid:game>/<int:dispute>/bundle/": Opens(OVERSEEING),
    f"{HOUSE}jobs/": Opens(AUDITING),
    f"{HOUSE}regrades/": Opens(AUDITING, AUDITING),
    f"{HOUSE}regrades/<uuid:regrade>/": Opens(AUDITING),
    f"{HOUSE}regrades/<uuid:regrade>/differences/": Opens(AUDITING),
    f"{HOUSE}days/": Opens(STAFF),
    f"{HOUSE}days/<slug:day>/": Opens(AUDITING),
    f"{HOUSE}days/<slug:day>/close/": Opens(post=MANAGING),
    f"{HOUSE}days/<slug:day>/sign/": Opens(post=APPROVING),
    f"{HOUSE}late/": Opens(AUDITING),
    f"{HOUSE}late-entries/": Opens(OVERSEEING),
    f"{HOUSE}late-entries/<uuid:game>/put/": Opens(post=APPROVING),
    f"{HOUSE}late-entries/<uuid:game>/<int:number>/": Opens(OVERSEEING),
    f"{HOUSE}late-entries/<uuid:game>/<int:number>/put/": Opens(post=APPROVING),
    f"{HOUSE}late-entries/<uuid:game>/<int:number>/dismiss/": Opens(post=APPROVING),
    f"{HOUSE}gaps/": Opens(OVERSEEING),
    f"{HOUSE}gaps/<uuid:game>/<int:number>/close/": Opens(post=APPROVING),
    f"{HOUSE}surveillance/streams/": Opens(OVERSEEING),
    f"{HOUSE}surveillance/streams/<slug:kind>/<slug:name>/<int:sides>/": Opens(OVERSEEING),
    f"{HOUSE}surveillance/alarms/": Opens(OVERSEEING),
    f"{HOUSE}surveillance/alarms/<uuid:alarm>/acknowledge/": Opens(post=ACKNOWLEDGING),
    "api/v1/games/": Opens(STAFF, PLAYING, mine=True),
    GAME: Opens(STAFF),
    f"{GAME}commands/": Opens(post=PLAYING),
    f"{GAME}events/": Opens(STAFF),
    f"{GAME}explain/<int:round_no>/": Opens(STAFF),
    "api/v1/odds/": Opens(STAFF, mine=True),
    **{
        f"api/v1/odds/{game}/": Opens(STAFF, mine=True)
        for game in ("stone-hand", "cinnabar-gate", "river", "threes-away", "dice-breaker")
    },
}

WHY = "To see who may."


def act(**fields: Any) -> dict[str, Any]:
    return {"command_id": str(uuid4()), **fields}


SENDS: dict[str, Callable[[AddressedHouse], Mapping[str, Any]]] = {
    "house/": lambda at: {"house": at.house.id},
    "floor/games/<uuid:game>/command/": lambda _at: throw("Ada", 1, 2, 3),
    "api/v1/games/": lambda at: opening(at.house.tables[1]),
    f"{GAME}commands/": lambda _at: throw("Ada", 1, 2, 3),
    "cash/tables/<uuid:table>/sign/": lambda _at: act(seen=0),
    "cash/tables/<uuid:table>/take/": lambda _at: act(seen=0),
    "players/waiting/<uuid:entry>/": lambda _at: act(do="skip"),
    "players/unclaimed/<uuid:game>/<slug:token>/": lambda _at: act(amount=1, reason=WHY),
    "payouts/<uuid:game>/witness/": lambda _at: act(payout="1.0"),
    f"{HOUSE}approvals/<uuid:approval>/reject/": lambda _at: act(reason=WHY),
    f"{HOUSE}approvals/<uuid:approval>/alone/": lambda _at: act(reason=WHY),
    f"{HOUSE}approvals/<uuid:approval>/review/": lambda _at: act(in_order=True),
}
"""What has to be sent for it to come to the question of who may; elsewhere nothing."""

NOWHERE = frozenset({"api/", "admin/(?P<url>.*)$"})
"""What answers where nothing is."""

ADMIN = "admin/"
"""The admin's addresses are generated; who may what there is said by model, in test_admin.py."""


SPECIAL: dict[str, Mapping[str, str]] = {
    "odds/<slug:game>/": {"game": "stone-hand"},
    "dice/of/<slug:kind>/<slug:name>/": {"kind": "house", "name": "all"},
    f"{HOUSE}surveillance/streams/<slug:kind>/<slug:name>/<int:sides>/": {
        "kind": "house",
        "name": "all",
        "sides": "8",
    },
    "settings/rules/<slug:game>/": {"game": "stone-hand"},
    "settings/scoreboards/<slug:game>/": {"game": "stone-hand"},
    "settings/scoreboards/<slug:game>/end/": {"game": "stone-hand"},
    "settings/scoreboards/<slug:game>/adjust/": {"game": "stone-hand"},
    f"{HOUSE}scoreboards/<slug:game>/end/": {"game": "stone-hand"},
    f"{HOUSE}scoreboards/<slug:game>/adjust/": {"game": "stone-hand"},
    f"{HOUSE}scoreboards/<slug:game>/": {"game": "stone-hand"},
    "scoreboards/<slug:game>/": {"game": "stone-hand"},
    "cash/tables/<uuid:table>/ask/<slug:kind>/": {"kind": "fill"},
    "dice/sets/<uuid:dice_set>/<slug:do>/": {"do": "withdraw"},
    "floor/offline/<slug:ruleset>.<slug:version>.js": {
        "ruleset": "stone-hand",
        "version": bundles.version_of("stone-hand"),
    },
}
"""Where a name in an address means something else than in the others."""

QUERIES = dict.fromkeys(
    ("floor/games/<uuid:game>/void/", "floor/games/<uuid:game>/change/"), "?event=1"
)
"""What an address needs behind it for there to be anything."""


KEPT = {
    "floor/offline/<slug:ruleset>.<slug:version>.js": "public, max-age=31536000, immutable",
    "g/<slug:house>/": "public, max-age=15",
    "g/<slug:house>/app.webmanifest": "public, max-age=300",
    "g/<slug:house>/rules/<slug:ruleset>/": "public, max-age=300",
    "g/<slug:house>/odds/<slug:ruleset>/": "public, max-age=300",
}
"""
What may be kept, and how: a program that is the same for all, and holds nothing of any house; what
a house shows to every guest.
"""


@dataclass(frozen=True)
class Address:
    route: str
    names: tuple[str, ...] = field(default=())

    @property
    def is_api(self) -> bool:
        return self.route.startswith("api/")

    @property
    def is_of_a_house(self) -> bool:
        """Whether something in it belongs to one house."""
        return any(sign in self.route for sign in ("<uuid:", "<slug:player>", "<slug:token>"))

    def may_be_kept(self, said: str) -> bool:
        """Whether caches are told what they should be: that nobody keeps it, but for `KEPT`."""
        told = {each.strip() for each in said.split(",")}
        return {"no-store", "private"} <= told or KEPT.get(self.route) == said

    def body(self, world: AddressedHouse) -> Mapping[str, Any]:
        """What is sent there: an act has its id, whatever else is wrong with it."""
        return SENDS[self.route](world) if self.route in SENDS else act()

    def path(self, arguments: Mapping[str, Any]) -> str:
        path = self.route
        for name in self.names:
            given = SPECIAL.get(self.route, {}).get(name, arguments.get(name))
            start = path.index(f":{name}>")
            opening = path.rindex("<", 0, start)
            path = path[:opening] + str(given) + path[start + len(name) + 2 :]
        return f"/{path}{QUERIES.get(self.route, '')}"


def addresses() -> list[Address]:
    """Every address of the house, as the URL table has it, but the admin's."""
    found = (
        Address(route, tuple(re.findall(r"<\w+:(\w+)>", route)))
        for route in walked(get_resolver().url_patterns)
    )
    return [
        each for each in found if not each.route.startswith(ADMIN) and each.route not in NOWHERE
    ]


def walked(patterns: Sequence[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from walked(pattern.url_patterns, route)
        else:
            yield route
