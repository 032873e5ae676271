-- What keeps the ledger whole on PostgreSQL. Installed after every migrate, if it changed
-- (ledger/install.py, which puts the schema's name for {schema}).
--
-- SQLSTATEs of our own, read by ledger/postgresql.py; DETAIL is JSON:
--   LE000 append-only   LE001 stream moved     LE002 command reused   LE003 overdrawn
--   LE004 not reversible   LE005 cursor moved   LE006 malformed request
--   LE007 four eyes   LE008 balance moved

-- Append-only ---------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION ledger_forbid() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, {schema}, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'ledger_append_only: % on %', TG_OP, TG_TABLE_NAME USING ERRCODE = 'LE000';
END $$;

CREATE OR REPLACE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger_event
    FOR EACH ROW EXECUTE FUNCTION ledger_forbid();
CREATE OR REPLACE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger_transfer
    FOR EACH ROW EXECUTE FUNCTION ledger_forbid();
CREATE OR REPLACE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger_commandreceipt
    FOR EACH ROW EXECUTE FUNCTION ledger_forbid();
CREATE OR REPLACE TRIGGER ledger_append_only BEFORE DELETE ON ledger_account
    FOR EACH ROW EXECUTE FUNCTION ledger_forbid();
CREATE OR REPLACE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger_tile
    FOR EACH ROW EXECUTE FUNCTION ledger_forbid();
CREATE OR REPLACE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON ledger_tile
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_forbid();
CREATE OR REPLACE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger_checkpoint
    FOR EACH ROW EXECUTE FUNCTION ledger_forbid();
CREATE OR REPLACE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON ledger_checkpoint
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_forbid();
CREATE OR REPLACE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON ledger_event
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_forbid();
CREATE OR REPLACE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON ledger_transfer
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_forbid();
CREATE OR REPLACE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON ledger_commandreceipt
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_forbid();
CREATE OR REPLACE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON ledger_account
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_forbid();

-- Body, columns and leaf are one ----------------------------------------------------------------

CREATE OR REPLACE FUNCTION ledger_check_event() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, {schema}, pg_temp AS $$
DECLARE
    it jsonb := convert_from(NEW.body, 'UTF8')::jsonb;
    said ledger_event;  -- columns are called as the body calls them; it says all but three
    differs boolean;
    second text;
BEGIN
    IF num_nonnulls(
        NEW.event_id, NEW.stream, NEW.stream_version, NEW.event_type, NEW.schema_version,
        NEW.command_id, NEW.command_seq, NEW.actor, NEW.device, NEW.correlation_id,
        NEW.causation_id, NEW.occurred_at, NEW.recorded_at, NEW.gaming_day) = 0
    THEN  -- the body alone is given: the columns are read from it
        said := jsonb_populate_record(NEW, it);
        differs := (it->>'establishment')::uuid IS DISTINCT FROM NEW.establishment;
    ELSE
        said := jsonb_populate_record(NULL::ledger_event, it);
        said.position := NEW.position;
        said.body := NEW.body;
        said.leaf_hash := NEW.leaf_hash;
        differs := said IS DISTINCT FROM NEW;
    END IF;
    IF differs OR it ?| '{position,body,leaf_hash}' THEN
        RAISE EXCEPTION 'ledger_event_body: a column is not what the body says'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_event_body';
    END IF;
    -- Four eyes: who approves or reviews is the one who acts, neither who asked nor who is paid.
    IF it->'data' ?| '{approved_by,reviewed_by}' THEN
        FOR second IN
            SELECT value FROM jsonb_each_text(it->'data')
            WHERE key IN ('approved_by', 'reviewed_by') AND value IS NOT NULL
        LOOP
            IF second IS DISTINCT FROM it->>'actor'
                OR second = coalesce(it->'data'->>'asked_by', second)
                OR (it->'data'->'beneficiaries') ? second
            THEN
                RAISE EXCEPTION 'ledger_four_eyes: % is not a second person for % of %',
                    second, said.event_type, said.stream
                    USING ERRCODE = 'LE007', CONSTRAINT = 'ledger_four_eyes',
                    DETAIL = jsonb_build_object(
                        'second', second, 'stream', said.stream,
                        'event_type', said.event_type);
            END IF;
        END LOOP;
    END IF;
    RETURN said;
END $$;

CREATE OR REPLACE TRIGGER ledger_check_event BEFORE INSERT ON ledger_event
    FOR EACH ROW EXECUTE FUNCTION ledger_check_event();

-- Transfers move balances ------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION ledger_check_transfer() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, {schema}, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM ledger_transfer
        WHERE establishment = NEW.establishment AND reverses = NEW.reverses)
    OR NOT EXISTS (
        SELECT 1 FROM ledger_transfer AS original
        WHERE original.establishment = NEW.establishment
            AND original.transfer_id = NEW.reverses
            AND original.debit_kind = NEW.credit_kind AND original.debit_name = NEW.credit_name
            AND original.credit_kind = NEW.debit_kind AND original.credit_name = NEW.debit_name
            AND original.amount = NEW.amount)
    THEN
        RAISE EXCEPTION 'ledger_not_reversible' USING ERRCODE = 'LE004',
            DETAIL = jsonb_build_object('transfer_id', NEW.reverses);
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER ledger_check_transfer BEFORE INSERT ON ledger_transfer
    FOR EACH ROW WHEN (NEW.reverses IS NOT NULL) EXECUTE FUNCTION ledger_check_transfer();

CREATE OR REPLACE FUNCTION ledger_book_transfer() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, {schema}, pg_temp AS $$
DECLARE
    available bigint;
BEGIN
    UPDATE ledger_account SET debits = debits + NEW.amount
    WHERE establishment = NEW.establishment AND kind = NEW.debit_kind AND name = NEW.debit_name
        AND (kind NOT IN ({players_money}) OR debits + NEW.amount <= credits);
    IF NOT FOUND THEN
        IF NEW.debit_kind IN ({players_money}) THEN
            SELECT credits - debits INTO available FROM ledger_account
            WHERE establishment = NEW.establishment
                AND kind = NEW.debit_kind AND name = NEW.debit_name;
            RAISE EXCEPTION 'ledger_overdrawn' USING ERRCODE = 'LE003',
                DETAIL = jsonb_build_object(
                    'account', NEW.debit_kind || ':' || NEW.debit_name,
                    'available', coalesce(available, 0), 'amount', NEW.amount);
        END IF;
        INSERT INTO ledger_account (establishment, kind, name, debits, credits)
        VALUES (NEW.establishment, NEW.debit_kind, NEW.debit_name, NEW.amount, 0);
    END IF;

    UPDATE ledger_account SET credits = credits + NEW.amount
    WHERE establishment = NEW.establishment AND kind = NEW.credit_kind AND name = NEW.credit_name;
    IF NOT FOUND THEN
        INSERT INTO ledger_account (establishment, kind, name, debits, credits)
        VALUES (NEW.establishment, NEW.credit_kind, NEW.credit_name, 0, NEW.amount);
    END IF;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER ledger_book_transfer AFTER INSERT ON ledger_transfer
    FOR EACH ROW EXECUTE FUNCTION ledger_book_transfer();

-- Depth 1: within the trigger of an inserted transfer, the only way a balance moves.
CREATE OR REPLACE TRIGGER ledger_check_account BEFORE INSERT OR UPDATE ON ledger_account
    FOR EACH ROW WHEN (pg_trigger_depth() < 1) EXECUTE FUNCTION ledger_forbid();
DROP FUNCTION IF EXISTS ledger_check_account();  -- which asked the same

-- A house that signs a smaller tree than before has lost something: that takes another epoch.

CREATE OR REPLACE FUNCTION ledger_checkpoint_grows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, {schema}, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM ledger_checkpoint
        WHERE establishment = NEW.establishment
            AND (epoch > NEW.epoch
                OR (epoch = NEW.epoch AND (size >= NEW.size OR receipts > NEW.receipts))))
    THEN
        RAISE EXCEPTION 'ledger_checkpoint_grows: % events are signed already', NEW.size
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_checkpoint_grows';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER ledger_checkpoint_grows BEFORE INSERT ON ledger_checkpoint
    FOR EACH ROW EXECUTE FUNCTION ledger_checkpoint_grows();

-- Append ---------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION ledger_append(
    p_establishment uuid, p_entries jsonb, p_bodies bytea[],
    p_subscription text, p_expected bigint, p_moved_to bigint
) RETURNS TABLE (
    command_id uuid, request_hash bytea, first_position bigint, last_position bigint,
    refusal_code text, refusal_detail text, repeated boolean
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, {schema}, pg_temp{planning} AS $$
#variable_conflict use_column
DECLARE
    v_position bigint;
    v_seq bigint;  -- of receipts
    v_entry jsonb;
    v_versions jsonb;
    v_stream text;
    v_expected bigint;
    v_actual bigint;
    v_of_command boolean;
    v_books boolean;
    v_events integer;
    v_appended boolean := false;
    v_next integer := 1;  -- in p_bodies
    v_body bytea;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'ledger_append needs READ COMMITTED: an older snapshot misses the head'
            USING ERRCODE = 'LE006';
    END IF;
    IF jsonb_array_length(p_entries) > 0 THEN
        -- A statement of its own: the snapshot of the next one is taken once the lock is held.
        PERFORM pg_advisory_xact_lock(hashtextextended('ledger/' || p_establishment, 0));
        SELECT
            coalesce((SELECT max(position) FROM ledger_event
                      WHERE establishment = p_establishment), -1),
            coalesce((SELECT max(seq) FROM ledger_commandreceipt
                      WHERE establishment = p_establishment), -1)
        INTO v_position, v_seq;
    END IF;

    FOR v_index IN 0 .. jsonb_array_length(p_entries) - 1 LOOP
        v_entry := p_entries->v_index;
        v_events := v_entry->'events';

        -- The receipt first: one statement finds that of before, or leaves this one.
        INSERT INTO ledger_commandreceipt AS receipt (
            establishment, seq, command_id, request_hash, first_position, last_position,
            refusal_code, refusal_detail, actor, recorded_at)
        VALUES (
            p_establishment, v_seq + 1, (v_entry->>'command_id')::uuid,
            decode(v_entry->>'request_hash', 'hex'),
            CASE WHEN v_events > 0 THEN v_position + 1 END,
            CASE WHEN v_events > 0 THEN v_position + v_events END,
            v_entry->>'refusal_code', v_entry->>'refusal_detail',
            v_entry->>'actor', (v_entry->>'recorded_at')::timestamptz)
        ON CONFLICT (establishment, command_id) DO NOTHING
        RETURNING receipt.command_id, receipt.request_hash, receipt.first_position,
            receipt.last_position, receipt.refusal_code, receipt.refusal_detail, false
        INTO command_id, request_hash, first_position, last_position, refusal_code,
            refusal_detail, repeated;
        IF NOT FOUND THEN
            SELECT receipt.command_id, receipt.request_hash, receipt.first_position,
                receipt.last_position, receipt.refusal_code, receipt.refusal_detail, true
            INTO command_id, request_hash, first_position, last_position, refusal_code,
                refusal_detail, repeated
            FROM ledger_commandreceipt AS receipt
            WHERE receipt.establishment = p_establishment
                AND receipt.command_id = (v_entry->>'command_id')::uuid;
            IF request_hash IS DISTINCT FROM decode(v_entry->>'request_hash', 'hex') THEN
                RAISE EXCEPTION 'ledger_command_reused' USING ERRCODE = 'LE002',
                    DETAIL = jsonb_build_object('command_id', command_id);
            END IF;
            v_next := v_next + v_events;
            RETURN NEXT;
            CONTINUE;
        END IF;
        v_seq := v_seq + 1;

        v_versions := v_entry->'guards';
        SELECT key, value::bigint, actual INTO v_stream, v_expected, v_actual
        FROM jsonb_each_text(v_versions), LATERAL (
            SELECT coalesce(max(stream_version), 0) AS actual
            FROM ledger_event WHERE establishment = p_establishment AND stream = key) AS there
        WHERE actual <> value::bigint LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'ledger_stream_moved' USING ERRCODE = 'LE001',
                DETAIL = jsonb_build_object(
                    'stream', v_stream, 'expected', v_expected, 'actual', v_actual);
        END IF;

        IF v_entry->'balances' <> '{}' THEN
            SELECT key, value::bigint, actual INTO v_stream, v_expected, v_actual
            FROM jsonb_each_text(v_entry->'balances'), LATERAL (
                SELECT coalesce(sum(credits - debits), 0) AS actual FROM ledger_account
                WHERE establishment = p_establishment AND kind = split_part(key, ':', 1)
                    AND name = substr(key, strpos(key, ':') + 1)) AS there
            WHERE actual <> value::bigint LIMIT 1;
            IF FOUND THEN
                RAISE EXCEPTION 'ledger_balance_moved' USING ERRCODE = 'LE008',
                    DETAIL = jsonb_build_object(
                        'account', v_stream, 'expected', v_expected, 'actual', v_actual);
            END IF;
        END IF;

        FOR v_at IN v_next .. v_next + v_events - 1 LOOP
            v_position := v_position + 1;
            -- Named in a statement, all bodies would be copied for each of them.
            v_body := p_bodies[v_at];
            -- All else is read from the body (ledger_check_event). It books nothing where it ends
            -- so: with its comma that is the end of no other key.
            INSERT INTO ledger_event AS event (establishment, position, body, leaf_hash)
            VALUES (
                p_establishment, v_position, v_body, sha256('\x00'::bytea || v_body))
            RETURNING stream, stream_version, (v_versions->>stream)::bigint + 1,
                event.command_id IS NOT DISTINCT FROM (v_entry->>'command_id')::uuid,
                substr(body, octet_length(body) - 15) <> ',"transfers":[]}'
            INTO v_stream, v_actual, v_expected, v_of_command, v_books;
            IF v_actual IS DISTINCT FROM v_expected OR NOT v_of_command THEN
                RAISE EXCEPTION 'ledger_malformed: % is not at version % of this command',
                    v_stream, v_expected
                    USING ERRCODE = 'LE006';
            END IF;
            IF v_books THEN
                INSERT INTO ledger_transfer (
                    establishment, position, seq, transfer_id, debit_kind, debit_name,
                    credit_kind, credit_name, amount, reason, reverses)
                SELECT
                    p_establishment, v_position, ordinality - 1, (value->>'transfer_id')::uuid,
                    split_part(value->>'debit', ':', 1),
                    substr(value->>'debit', strpos(value->>'debit', ':') + 1),
                    split_part(value->>'credit', ':', 1),
                    substr(value->>'credit', strpos(value->>'credit', ':') + 1),
                    (value->>'amount')::bigint, value->>'reason', (value->>'reverses')::uuid
                FROM jsonb_array_elements(
                    convert_from(v_body, 'UTF8')::jsonb->'transfers') WITH ORDINALITY
                ORDER BY ordinality;
            END IF;
            IF v_events > 1 THEN
                v_versions := jsonb_set(v_versions, ARRAY[v_stream], to_jsonb(v_actual));
            END IF;
        END LOOP;
        v_next := v_next + v_events;
        v_appended := v_appended OR v_events > 0;
        RETURN NEXT;
    END LOOP;

    IF v_appended THEN  -- the house has something unread; its row is there already while it plays
        INSERT INTO ledger_unread (establishment) VALUES (p_establishment)
        ON CONFLICT (establishment) DO NOTHING;
    END IF;

    IF p_subscription IS NOT NULL THEN
        UPDATE ledger_subscription SET position = p_moved_to
        WHERE establishment = p_establishment AND name = p_subscription
            AND position = p_expected;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'ledger_cursor_moved' USING ERRCODE = 'LE005',
                DETAIL = jsonb_build_object('subscription', p_subscription, 'expected', p_expected);
        END IF;
    END IF;
END $$;

REVOKE ALL ON FUNCTION ledger_append FROM PUBLIC;

-- Houses with something unread --------------------------------------------------------------------

-- A house leaves the list once all of its subscribers are at the head. No append is under way then:
-- each has the lock until it is committed. The row is locked for who puts a cursor back.
CREATE OR REPLACE FUNCTION ledger_rest(
    p_establishment uuid, p_subscribers text[], p_head bigint
) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, {schema}, pg_temp{planning} AS $$
BEGIN
    PERFORM FROM ledger_unread WHERE establishment = p_establishment FOR UPDATE SKIP LOCKED;
    IF NOT FOUND
        OR NOT pg_try_advisory_xact_lock(hashtextextended('ledger/' || p_establishment, 0))
    THEN
        RETURN false;  -- somebody appends: there is something to read
    END IF;
    DELETE FROM ledger_unread
    WHERE establishment = p_establishment
        AND p_head = (
            SELECT max(position) FROM ledger_event WHERE establishment = p_establishment)
        AND cardinality(p_subscribers) = (
            SELECT count(*) FROM ledger_subscription
            WHERE establishment = p_establishment AND name = ANY (p_subscribers)
                AND position >= p_head);
    RETURN FOUND;
END $$;

REVOKE ALL ON FUNCTION ledger_rest FROM PUBLIC;

CREATE OR REPLACE FUNCTION ledger_reads_again() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, {schema}, pg_temp AS $$
BEGIN
    -- An update, to wait for ledger_rest.
    INSERT INTO ledger_unread AS unread (establishment) VALUES (NEW.establishment)
    ON CONFLICT (establishment) DO UPDATE SET turns = unread.turns + 1;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER ledger_reads_again AFTER UPDATE OF position ON ledger_subscription
    FOR EACH ROW WHEN (NEW.position < OLD.position) EXECUTE FUNCTION ledger_reads_again();

-- Nobody's session turns these off (session_replication_role = replica does turn off others). What
-- fires where rows are inserted stays off where Citus moves them: they passed it where they were
-- written, and a transfer would be booked a second time (docs/decisions/0085).

ALTER TABLE ledger_event ENABLE ALWAYS TRIGGER ledger_append_only;
ALTER TABLE ledger_event ENABLE ALWAYS TRIGGER ledger_no_truncate;
ALTER TABLE ledger_event ENABLE {firing} TRIGGER ledger_check_event;
ALTER TABLE ledger_transfer ENABLE ALWAYS TRIGGER ledger_append_only;
ALTER TABLE ledger_transfer ENABLE ALWAYS TRIGGER ledger_no_truncate;
ALTER TABLE ledger_transfer ENABLE {firing} TRIGGER ledger_check_transfer;
ALTER TABLE ledger_transfer ENABLE {firing} TRIGGER ledger_book_transfer;
ALTER TABLE ledger_commandreceipt ENABLE ALWAYS TRIGGER ledger_append_only;
ALTER TABLE ledger_commandreceipt ENABLE ALWAYS TRIGGER ledger_no_truncate;
ALTER TABLE ledger_account ENABLE ALWAYS TRIGGER ledger_append_only;
ALTER TABLE ledger_account ENABLE ALWAYS TRIGGER ledger_no_truncate;
ALTER TABLE ledger_account ENABLE {firing} TRIGGER ledger_check_account;
ALTER TABLE ledger_subscription ENABLE {firing} TRIGGER ledger_reads_again;
ALTER TABLE ledger_tile ENABLE ALWAYS TRIGGER ledger_append_only;
ALTER TABLE ledger_tile ENABLE ALWAYS TRIGGER ledger_no_truncate;
ALTER TABLE ledger_checkpoint ENABLE ALWAYS TRIGGER ledger_append_only;
ALTER TABLE ledger_checkpoint ENABLE ALWAYS TRIGGER ledger_no_truncate;
ALTER TABLE ledger_checkpoint ENABLE {firing} TRIGGER ledger_checkpoint_grows;
