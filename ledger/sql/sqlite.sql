-- What keeps the ledger whole on SQLite. Installed after every migrate (ledger/install.py).
--
-- INSERT OR REPLACE deletes rows that stand in its way: the delete triggers hear of it with
-- PRAGMA recursive_triggers=ON only, and the BEFORE INSERT triggers refuse it in any case.
-- Statements end at a line that starts with END;

CREATE TRIGGER ledger_event_no_update BEFORE UPDATE ON ledger_event BEGIN
    SELECT RAISE(ABORT, 'ledger_append_only: UPDATE on ledger_event');
END;
CREATE TRIGGER ledger_event_no_delete BEFORE DELETE ON ledger_event BEGIN
    SELECT RAISE(ABORT, 'ledger_append_only: DELETE on ledger_event');
END;
CREATE TRIGGER ledger_event_no_replace BEFORE INSERT ON ledger_event
WHEN EXISTS (SELECT 1 FROM ledger_event WHERE event_id = NEW.event_id)
    OR EXISTS (SELECT 1 FROM ledger_event
               WHERE establishment = NEW.establishment AND position = NEW.position)
    OR EXISTS (SELECT 1 FROM ledger_event
               WHERE establishment = NEW.establishment AND stream = NEW.stream
                 AND stream_version = NEW.stream_version)
    OR EXISTS (SELECT 1 FROM ledger_event
               WHERE establishment = NEW.establishment AND command_id = NEW.command_id
                 AND command_seq = NEW.command_seq)
    OR EXISTS (SELECT 1 FROM ledger_event WHERE rowid = NEW.rowid)
BEGIN
    SELECT RAISE(ABORT, 'ledger_key_exists: INSERT on ledger_event');
END;
CREATE TRIGGER ledger_event_body BEFORE INSERT ON ledger_event
WHEN replace(json_extract(CAST(NEW.body AS TEXT), '$.establishment'), '-', '') IS NOT NEW.establishment
    OR replace(json_extract(CAST(NEW.body AS TEXT), '$.event_id'), '-', '') IS NOT NEW.event_id
    OR json_extract(CAST(NEW.body AS TEXT), '$.stream') IS NOT NEW.stream
    OR json_extract(CAST(NEW.body AS TEXT), '$.stream_version') IS NOT NEW.stream_version
    OR json_extract(CAST(NEW.body AS TEXT), '$.event_type') IS NOT NEW.event_type
    OR json_extract(CAST(NEW.body AS TEXT), '$.schema_version') IS NOT NEW.schema_version
    OR replace(json_extract(CAST(NEW.body AS TEXT), '$.command_id'), '-', '') IS NOT NEW.command_id
    OR json_extract(CAST(NEW.body AS TEXT), '$.command_seq') IS NOT NEW.command_seq
    OR json_extract(CAST(NEW.body AS TEXT), '$.actor') IS NOT NEW.actor
    OR json_extract(CAST(NEW.body AS TEXT), '$.device') IS NOT NEW.device
    OR replace(json_extract(CAST(NEW.body AS TEXT), '$.correlation_id'), '-', '') IS NOT NEW.correlation_id
    OR replace(json_extract(CAST(NEW.body AS TEXT), '$.causation_id'), '-', '') IS NOT NEW.causation_id
    OR json_extract(CAST(NEW.body AS TEXT), '$.occurred_at')
        IS NOT replace(NEW.occurred_at, ' ', 'T') || iif(length(NEW.occurred_at) = 19, '.000000Z', 'Z')
    OR json_extract(CAST(NEW.body AS TEXT), '$.recorded_at')
        IS NOT replace(NEW.recorded_at, ' ', 'T') || iif(length(NEW.recorded_at) = 19, '.000000Z', 'Z')
    OR json_extract(CAST(NEW.body AS TEXT), '$.gaming_day') IS NOT NEW.gaming_day
BEGIN
    SELECT RAISE(ABORT, 'ledger_event_body: a column is not what the body says');
END;
-- Four eyes: who approves or reviews is the one who acts, neither who asked nor who is paid.
-- By json_each, which reads a key however it is spelled; json_extract does not.
CREATE TRIGGER ledger_event_four_eyes BEFORE INSERT ON ledger_event
WHEN EXISTS (
    SELECT 1 FROM json_each(CAST(NEW.body AS TEXT), '$.data') AS second
    WHERE second.key IN ('approved_by', 'reviewed_by') AND second.value IS NOT NULL AND (
        second.value IS NOT NEW.actor
        OR NOT EXISTS (
            SELECT 1 FROM json_each(CAST(NEW.body AS TEXT), '$.data') AS asker
            WHERE asker.key = 'asked_by' AND asker.value <> second.value)
        OR EXISTS (
            SELECT 1 FROM json_each(CAST(NEW.body AS TEXT), '$.data') AS paid,
                json_each(paid.value) AS payee
            WHERE paid.key = 'beneficiaries' AND payee.value = second.value)))
BEGIN
    SELECT RAISE(ABORT, 'ledger_four_eyes: no second person');
END;

CREATE TRIGGER ledger_transfer_no_update BEFORE UPDATE ON ledger_transfer BEGIN
    SELECT RAISE(ABORT, 'ledger_append_only: UPDATE on ledger_transfer');
END;
CREATE TRIGGER ledger_transfer_no_delete BEFORE DELETE ON ledger_transfer BEGIN
    SELECT RAISE(ABORT, 'ledger_append_only: DELETE on ledger_transfer');
END;
CREATE TRIGGER ledger_transfer_no_replace BEFORE INSERT ON ledger_transfer
WHEN EXISTS (SELECT 1 FROM ledger_transfer WHERE transfer_id = NEW.transfer_id)
    OR EXISTS (SELECT 1 FROM ledger_transfer
               WHERE establishment = NEW.establishment AND position = NEW.position
                 AND seq = NEW.seq)
    OR EXISTS (SELECT 1 FROM ledger_transfer WHERE rowid = NEW.rowid)
BEGIN
    SELECT RAISE(ABORT, 'ledger_key_exists: INSERT on ledger_transfer');
END;
CREATE TRIGGER ledger_transfer_reverses BEFORE INSERT ON ledger_transfer
WHEN NEW.reverses IS NOT NULL AND (
    EXISTS (SELECT 1 FROM ledger_transfer
            WHERE establishment = NEW.establishment AND reverses = NEW.reverses)
    OR NOT EXISTS (SELECT 1 FROM ledger_transfer AS original
                   WHERE original.establishment = NEW.establishment
                     AND original.transfer_id = NEW.reverses
                     AND original.debit_kind = NEW.credit_kind
                     AND original.debit_name = NEW.credit_name
                     AND original.credit_kind = NEW.debit_kind
                     AND original.credit_name = NEW.debit_name
                     AND original.amount = NEW.amount))
BEGIN
    SELECT RAISE(ABORT, 'ledger_not_reversible');
END;
CREATE TRIGGER ledger_transfer_book AFTER INSERT ON ledger_transfer BEGIN
    SELECT RAISE(ABORT, 'ledger_overdrawn')
    WHERE NEW.debit_kind IN ({players_money}) AND NOT EXISTS (
        SELECT 1 FROM ledger_account
        WHERE establishment = NEW.establishment
          AND kind = NEW.debit_kind AND name = NEW.debit_name
          AND debits + NEW.amount <= credits);
    -- Not INSERT OR IGNORE: the clause of the outer statement, were it OR REPLACE, would win.
    INSERT INTO ledger_account (establishment, kind, name, debits, credits)
    SELECT NEW.establishment, NEW.debit_kind, NEW.debit_name, 0, 0
    WHERE NOT EXISTS (SELECT 1 FROM ledger_account WHERE establishment = NEW.establishment
                      AND kind = NEW.debit_kind AND name = NEW.debit_name);
    INSERT INTO ledger_account (establishment, kind, name, debits, credits)
    SELECT NEW.establishment, NEW.credit_kind, NEW.credit_name, 0, 0
    WHERE NOT EXISTS (SELECT 1 FROM ledger_account WHERE establishment = NEW.establishment
                      AND kind = NEW.credit_kind AND name = NEW.credit_name);
    UPDATE ledger_account SET debits = debits + NEW.amount
    WHERE establishment = NEW.establishment AND kind = NEW.debit_kind AND name = NEW.debit_name;
    UPDATE ledger_account SET credits = credits + NEW.amount
    WHERE establishment = NEW.establishment AND kind = NEW.credit_kind AND name = NEW.credit_name;
END;

CREATE TRIGGER ledger_commandreceipt_no_update BEFORE UPDATE ON ledger_commandreceipt BEGIN
    SELECT RAISE(ABORT, 'ledger_append_only: UPDATE on ledger_commandreceipt');
END;
CREATE TRIGGER ledger_commandreceipt_no_delete BEFORE DELETE ON ledger_commandreceipt BEGIN
    SELECT RAISE(ABORT, 'ledger_append_only: DELETE on ledger_commandreceipt');
END;
CREATE TRIGGER ledger_commandreceipt_no_replace BEFORE INSERT ON ledger_commandreceipt
WHEN EXISTS (SELECT 1 FROM ledger_commandreceipt
             WHERE establishment = NEW.establishment AND command_id = NEW.command_id)
    OR EXISTS (SELECT 1 FROM ledger_commandreceipt
               WHERE establishment = NEW.establishment AND seq = NEW.seq)
    OR EXISTS (SELECT 1 FROM ledger_commandreceipt WHERE rowid = NEW.rowid)
BEGIN
    SELECT RAISE(ABORT, 'ledger_key_exists: INSERT on ledger_commandreceipt');
END;

CREATE TRIGGER ledger_account_no_delete BEFORE DELETE ON ledger_account BEGIN
    SELECT RAISE(ABORT, 'ledger_append_only: DELETE on ledger_account');
END;
CREATE TRIGGER ledger_account_no_shrink BEFORE UPDATE ON ledger_account
WHEN NEW.debits < OLD.debits OR NEW.credits < OLD.credits
    OR NEW.establishment <> OLD.establishment OR NEW.kind <> OLD.kind OR NEW.name <> OLD.name
BEGIN
    SELECT RAISE(ABORT, 'ledger_append_only: UPDATE on ledger_account');
END;
CREATE TRIGGER ledger_account_starts_empty BEFORE INSERT ON ledger_account
WHEN NEW.debits <> 0 OR NEW.credits <> 0
    OR EXISTS (SELECT 1 FROM ledger_account WHERE establishment = NEW.establishment
               AND kind = NEW.kind AND name = NEW.name)
    OR EXISTS (SELECT 1 FROM ledger_account WHERE rowid = NEW.rowid)
BEGIN
    SELECT RAISE(ABORT, 'ledger_append_only: INSERT on ledger_account');
END;

CREATE TRIGGER ledger_tile_no_update BEFORE UPDATE ON ledger_tile BEGIN
    SELECT RAISE(ABORT, 'ledger_append_only: UPDATE on ledger_tile');
END;
CREATE TRIGGER ledger_tile_no_delete BEFORE DELETE ON ledger_tile BEGIN
    SELECT RAISE(ABORT, 'ledger_append_only: DELETE on ledger_tile');
END;
CREATE TRIGGER ledger_tile_no_replace BEFORE INSERT ON ledger_tile
WHEN EXISTS (SELECT 1 FROM ledger_tile WHERE establishment = NEW.establishment
             AND level = NEW.level AND "index" = NEW."index")
    OR EXISTS (SELECT 1 FROM ledger_tile WHERE rowid = NEW.rowid)
BEGIN
    SELECT RAISE(ABORT, 'ledger_key_exists: INSERT on ledger_tile');
END;

CREATE TRIGGER ledger_checkpoint_no_update BEFORE UPDATE ON ledger_checkpoint BEGIN
    SELECT RAISE(ABORT, 'ledger_append_only: UPDATE on ledger_checkpoint');
END;
CREATE TRIGGER ledger_checkpoint_no_delete BEFORE DELETE ON ledger_checkpoint BEGIN
    SELECT RAISE(ABORT, 'ledger_append_only: DELETE on ledger_checkpoint');
END;
-- A house that signs a smaller tree than before has lost something: that takes another epoch.
CREATE TRIGGER ledger_checkpoint_grows BEFORE INSERT ON ledger_checkpoint
WHEN EXISTS (SELECT 1 FROM ledger_checkpoint WHERE establishment = NEW.establishment
             AND (epoch > NEW.epoch
                  OR (epoch = NEW.epoch AND (size >= NEW.size OR receipts > NEW.receipts))))
    OR EXISTS (SELECT 1 FROM ledger_checkpoint WHERE rowid = NEW.rowid)
BEGIN
    SELECT RAISE(ABORT, 'ledger_checkpoint_grows: INSERT on ledger_checkpoint');
END;

-- Houses with something unread (ledger/lag.py).
CREATE TRIGGER ledger_event_unread AFTER INSERT ON ledger_event
WHEN NOT EXISTS (SELECT 1 FROM ledger_unread WHERE establishment = NEW.establishment)
BEGIN
    INSERT INTO ledger_unread (establishment, turns) VALUES (NEW.establishment, 0);
END;
CREATE TRIGGER ledger_subscription_reads_again AFTER UPDATE OF position ON ledger_subscription
WHEN NEW.position < OLD.position
    AND NOT EXISTS (SELECT 1 FROM ledger_unread WHERE establishment = NEW.establishment)
BEGIN
    INSERT INTO ledger_unread (establishment, turns) VALUES (NEW.establishment, 0);
END;
