"""
Faults as somebody tired makes them, one line each, and which file of the short form finds them.

Each pays, keeps, shows or lets happen what must not be; none keeps a module from being loaded.
"""

from __future__ import annotations

from tests.mutations.fault import Fault
from tests.mutations.planted_games import GAMES
from tests.mutations.planted_ledger import LEDGER

# Money and days

MONEY = (
    Fault(
        "what a void took back is taken back by the next one again",
        "casino/play/settlement/entries.py",
        "                del bookings[cause]",
        "                bookings.get(cause)",
        "tests/play/core/test_play_voids_money.py",
    ),
    Fault(
        "a stop that comes at this very moment is missed by settlement",
        "casino/play/settlement/subscriber.py",
        "guards[payout_holds.STREAM] = versions[payout_holds.STREAM]",
        "pass",
        "tests/money/payouts/test_payout_at_once.py",
    ),
    Fault(
        "two games may claim one rollover",
        "casino/play/settlement/rollovers.py",
        "        return Claims({self.rollover.stream: self.rollover.version}, self.events)",
        "        return Claims({}, self.events)",
        "tests/play/rollovers/test_rollovers_at_once.py",
    ),
    Fault(
        "a float that holds too little is booked as over",
        "casino/money/cash/counting.py",
        "    difference = counted - expected\n",
        "    difference = expected - counted\n",
        "tests/money/cash/test_cash_counts.py",
    ),
    Fault(
        "a count is not sealed: the second who counts may see the first",
        "casino/money/cash/counting.py",
        '{**data, "seal": found.seal}',
        '{**data, "seal": found.seal, "sheet": found.sheet}',
        "tests/money/cash/test_cash_counts.py",
    ),
    Fault(
        "a gaming day is frozen before all of it is booked",
        "casino/reports/gaming_days/closing.py",
        "    if position_of(house.pk) < begun.position - 1:",
        "    if position_of(house.pk) < 0:",
        "tests/reports/gaming_days/test_day_closing.py",
    ),
)

# People, their rights, and houses apart

PEOPLE = (
    Fault(
        "whoever is paid does it alone",
        "casino/kit/approvals/operations.py",
        "    if str(person.pk) in payees:\n"
        '        raise Beneficiary("It is your money or your role: it',
        '    if not person.pk:\n        raise Beneficiary("It is your money or your role: it',
        "tests/kit/approvals/test_approvals_alone.py",
    ),
    Fault(
        "whoever asked approves it",
        "casino/kit/approvals/operations.py",
        '    if request.asked_by == str(person.pk):\n        raise OwnRequest("You asked',
        '    if request.asked_by == person.pk:\n        raise OwnRequest("You asked',
        "tests/kit/approvals/test_approvals_requests.py",
    ),
    Fault(
        "a supervisor reads what is for managers and auditors",
        "casino/house/attendants/permissions.py",
        '    "audit": frozenset({Role.MANAGER, Role.AUDITOR}),',
        '    "audit": frozenset({Role.SUPERVISOR, Role.MANAGER, Role.AUDITOR}),',
        "tests/test_access_matrix.py",
    ),
    Fault(
        "everybody on the staff reads who is excluded",
        "casino/play/exclusions/api.py",
        "    sees=OVERSEEING,",
        "    sees=(),",
        "tests/test_access_matrix.py",
    ),
    Fault(
        "a code of an authenticator works twice",
        "casino/house/attendants/factors.py",
        "counter__lt=counter",
        "counter__lte=counter",
        "tests/settings/sign_in/test_people_second_factor.py",
    ),
    Fault(
        "there is one try more before a PIN locks",
        "casino/house/attendants/lockout.py",
        "        left = target.tries - row.tries\n",
        "        left = target.tries - row.tries + 1\n",
        "tests/settings/sign_in/test_people_pins.py",
    ),
    Fault(
        "a name stays in texts that spell it otherwise",
        "casino/floor/players/player_names.py",
        '        if named.search(_plain(text or "")):',
        '        if named.search(text or ""):',
        "tests/play/core/test_players_erasure.py",
    ),
    Fault(
        "the dice of another house may be withdrawn",
        "casino/play/dice/life.py",
        "    dice = DiceSet.objects.filter(establishment=house, pk=dice_set).first()\n    if",
        "    dice = DiceSet.objects.filter(pk=dice_set).first()\n    if",
        "tests/play/dice/test_dice_life.py",
    ),
    Fault(
        "whoever holds a receipt is told of another house's payouts, too",
        "casino/money/payouts/receipts.py",
        "Payout.objects.filter(establishment=establishment, position=position)",
        "Payout.objects.filter(position=position)",
        "tests/money/payouts/test_receipts.py",
    ),
    Fault(
        "dice are issued that nobody has inspected",
        "casino/play/dice/life.py",
        "    State.RECEIVED: (Do.INSPECT, Do.WITHDRAW),",
        "    State.RECEIVED: (Do.ISSUE, Do.INSPECT, Do.WITHDRAW),",
        "tests/play/dice/test_dice_life.py",
    ),
    Fault(
        "whoever has left the house keeps their role",
        "casino/house/attendants/permissions.py",
        " WHERE works.attendant_id = %s AND works.until IS NULL",
        " WHERE works.attendant_id = %s",
        "tests/settings/staff/test_people_leaving.py",
    ),
    Fault(
        "whoever has left the house keeps their role by their token",
        "casino/kit/web/api/authentication.py",
        " AND works.until IS NULL",
        "",
        "tests/kit/web/test_api_access.py",
    ),
)

# What is sent, read and shown

READ = (
    Fault(
        "a cell of a CSV begins with =",
        "casino/words/languages/spreadsheets.py",
        '"*[=+',
        '"*[+',
        "tests/reports/test_reports_writers.py",
    ),
    Fault(
        "an entry sent twice counts twice",
        "casino/play/devices/entries.py",
        'uuid.uuid5(device.game, f"{device.name}/{given.seq}")',
        "uuid.uuid4()",
        "tests/play/devices/test_devices_entries.py",
    ),
    Fault(
        "what a lapsed lease recorded is put to the game",
        "casino/play/devices/entries.py",
        "made_under in {None, 0, lease.term}",
        "made_under is not lease",
        "tests/play/devices/test_devices_leases.py",
    ),
    Fault(
        "nobody is woken by a command",
        "casino/play/core/operations.py",
        "    finally:\n        played.send(None, establishment=house.pk)\n    return Run",
        "    finally:\n        pass\n    return Run",
        "tests/engine/test_waking.py",
    ),
    Fault(
        "a die caught in mid-air counts as thrown",
        "casino/words/presenters/dice_breaker/api.py",
        '    if data["lies"] == "caught":',
        '    if data["lies"] == "nowhere":',
        "tests/play/surveillance/test_surveillance_stream_counts.py",
    ),
    Fault(
        "an alarm rests on a level that was set later",
        "casino/play/dice/surveillance/alarms.py",
        "    if last is not None and last.position >= position:",
        "    if last is None:",
        "tests/play/surveillance/test_surveillance_false_discovery_rate.py",
    ),
    Fault(
        "a regrade does not see a booking too many",
        "casino/proof/disputes/regrade/grading.py",
        "        for (event_type, cause), surplus in booked.items():",
        "        for (event_type, cause), surplus in ():",
        "tests/proof/regrade/test_regrade_forged.py",
    ),
    Fault(
        "in a what-if the rollover of one kind of game goes to another",
        "casino/reports/what_if/runs.py",
        "each.kind == kind and each.position < position",
        "each.position < position",
        "tests/reports/what_if/test_what_if_runs.py",
    ),
    Fault(
        "a house is well while events are parked",
        "casino/office/monitoring/checks.py",
        '        return Finding(ok=False, says=says, figures=figures)\n    says = f"Up to',
        '        return Finding(ok=True, says=says, figures=figures)\n    says = f"Up to',
        "tests/office/health/test_health.py",
    ),
    Fault(
        "money below nothing is shown without its sign",
        "casino/words/languages/amounts.py",
        "f\"{MINUS_SIGN if amount < 0 else ''}{self.with_symbol(self.figures(abs(amount)))}\"",
        "self.with_symbol(self.figures(abs(amount)))",
        "tests/words/languages/test_coins.py",
    ),
    Fault(
        "a void takes rounds back from a day that is over",
        "casino/play/core/projections.py",
        "        if step.value.fact.ends_round and same_day:",
        "        if step.value.fact.ends_round:",
        "tests/play/settlement/test_settlement_trouble.py",
    ),
    Fault(
        "what a page without scripts sends bears no id of a command",
        "templates/floor/tables/_command_fields.html",
        'value="{{ board.command_id|default:"" }}"',
        'value=""',
        "tests/floor/tables/test_floor_entries.py",
    ),
    Fault(
        "the close of a gaming day is not signed at once",
        "casino/proof/signing/tasks.py",
        'frozenset({"table.game_closed", gaming_day.CLOSED})',
        'frozenset({"table.game_closed"})',
        "tests/proof/integrity/test_checkpoints.py",
    ),
    Fault(
        "the report of exceptions leaves out its last day",
        "casino/reports/registers/exceptions/queries.py",
        "gaming_day__lte=criteria.until",
        "gaming_day__lt=criteria.until",
        "tests/reports/exceptions/test_exceptions_listed.py",
    ),
)

FAULTS = (*GAMES, *LEDGER, *MONEY, *PEOPLE, *READ)
