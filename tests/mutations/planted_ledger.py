"""Faults in the ledger."""

from __future__ import annotations

from tests.mutations.fault import Fault

LEDGER = (
    Fault(
        "a stream that has moved on is appended to all the same",
        "ledger/sqlite.py",
        "        if actual != expected:",
        "        if actual < expected:",
        "tests/ledger/test_append.py",
    ),
    Fault(
        "a reversal gives back another amount",
        "ledger/sql/sqlite.sql",
        "                     AND original.credit_name = NEW.debit_name\n"
        "                     AND original.amount = NEW.amount))",
        "                     AND original.credit_name = NEW.debit_name))",
        "tests/ledger/test_money.py",
    ),
    Fault(
        "the reason of a transfer may be written over",
        "ledger/sql/sqlite.sql",
        "BEFORE UPDATE ON ledger_transfer BEGIN",
        "BEFORE UPDATE OF amount ON ledger_transfer BEGIN",
        "tests/ledger/test_forbidden.py",
    ),
    Fault(
        "whoever approves need not be the one who acts",
        "ledger/sql/sqlite.sql",
        "        second.value IS NOT NEW.actor\n        OR NOT EXISTS (",
        "        NOT EXISTS (",
        "tests/ledger/test_four_eyes.py",
    ),
    Fault(
        "what comes behind a parked event of its stream is handled before it",
        "ledger/subscriptions.py",
        "waits = any(row[3] for row in taken.rows)",
        "waits = False",
        "tests/ledger/test_subscriptions.py",
    ),
    Fault(
        "what comes to a parked stream later is handled before it",
        "ledger/subscriptions.py",
        "    return dict(latest_first)  #",
        "    return {}  #",
        "tests/ledger/test_subscriptions.py",
    ),
    Fault(
        "a subscriber remembers the beginning of a command whose end it has not read",
        "ledger/subscriptions.py",
        "cut=len(events) == size",
        "cut=False",
        "tests/play/subscriptions/test_projections_batches.py",
    ),
    Fault(
        "a proof of consistency goes the wrong way at a whole half of the tree",
        "ledger/tiles.py",
        "        if old <= middle:",
        "        if old < middle:",
        "tests/ledger/test_tree.py",
    ),
    Fault(
        "while a key is exchanged the new one does not sign",
        "ledger/notes.py",
        "for key in keys)",
        "for key in keys[:1])",
        "tests/ledger/test_checkpoints.py",
    ),
    Fault(
        "a check of the ledger passes over an answer that is not of its events",
        "ledger/checking/receipts.py",
        "    elif done and not fits:",
        "    elif done and fits is None:",
        "tests/ledger/test_tamper_rows.py",
    ),
    Fault(
        "events told at once are not held against their columns",
        "ledger/checking/whole.py",
        "            if not (body.startswith(begins) and body.endswith(ends)):",
        "            if not body.endswith(ends):",
        "tests/ledger/test_whole.py",
    ),
    Fault(
        "a shape that was met before lets any number pass",
        "ledger/checking/whole.py",
        '(?:0|-?[1-9][0-9]{0,14})"',
        '-?[0-9]+"',
        "tests/ledger/test_whole.py",
    ),
    Fault(
        "tiles that are written together leave those above them out",
        "ledger/tiles.py",
        "            full = (index + len(hashes) // WIDTH) // WIDTH\n",
        "            full = index // WIDTH\n",
        "tests/ledger/test_whole.py",
    ),
)
