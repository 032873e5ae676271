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
    second text;
BEGIN
    IF (it->>'establishment')::uuid IS DISTINCT FROM NEW.establishment
        OR (it->>'event_id')::uuid IS DISTINCT FROM NEW.event_id
        OR it->>'stream' IS DISTINCT FROM NEW.stream
        OR (it->>'stream_version')::bigint IS DISTINCT FROM NEW.stream_version
        OR it->>'event_type' IS DISTINCT FROM NEW.event_type
        OR (it->>'schema_version')::integer IS DISTINCT FROM NEW.schema_version
        OR (it->>'command_id')::uuid IS DISTINCT FROM NEW.command_id
        OR (it->>'command_seq')::integer IS DISTINCT FROM NEW.command_seq
        OR it->>'actor' IS DISTINCT FROM NEW.actor
        OR it->>'device' IS DISTINCT FROM NEW.device
        OR (it->>'correlation_id')::uuid IS DISTINCT FROM NEW.correlation_id
        OR (it->>'causation_id')::uuid IS DISTINCT FROM NEW.causation_id
        OR (it->>'occurred_at')::timestamptz IS DISTINCT FROM NEW.occurred_at
        OR (it->>'recorded_at')::timestamptz IS DISTINCT FROM NEW.recorded_at
        OR (it->>'gaming_day')::date IS DISTINCT FROM NEW.gaming_day
    THEN
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
                    second, NEW.event_type, NEW.stream
                    USING ERRCODE = 'LE007', CONSTRAINT = 'ledger_four_eyes',
                    DETAIL = jsonb_build_object(
                        'second', second, 'stream', NEW.stream, 'event_type', NEW.event_type);
            END IF;
        END LOOP;
    END IF;
    RETURN NEW;
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

    INSERT INTO ledger_account AS account (establishment, kind, name, debits, credits)
    VALUES (NEW.establishment, NEW.credit_kind, NEW.credit_name, 0, NEW.amount)
    ON CONFLICT (establishment, kind, name)
        DO UPDATE SET credits = account.credits + excluded.credits;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER ledger_book_transfer AFTER INSERT ON ledger_transfer
    FOR EACH ROW EXECUTE FUNCTION ledger_book_transfer();

CREATE OR REPLACE FUNCTION ledger_check_account() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, {schema}, pg_temp AS $$
BEGIN
    -- Depth 2: within the trigger of an inserted transfer, the only way a balance moves.
    IF pg_trigger_depth() < 2 THEN
        RAISE EXCEPTION 'ledger_append_only: % on ledger_account by hand', TG_OP
            USING ERRCODE = 'LE000';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER ledger_check_account BEFORE INSERT OR UPDATE ON ledger_account
    FOR EACH ROW EXECUTE FUNCTION ledger_check_account();

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
SET search_path = pg_catalog, {schema}, pg_temp AS $$
#variable_conflict use_column
DECLARE
    v_position bigint;
    v_seq bigint;  -- of receipts
    v_entry jsonb;
    v_receipt ledger_commandreceipt;
    v_versions jsonb;
    v_stream text;
    v_expected bigint;
    v_actual bigint;
    v_body bytea;
    v_it jsonb;
    v_events integer;
    v_next integer := 1;  -- in p_bodies
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'ledger_append needs READ COMMITTED: an older snapshot misses the head'
            USING ERRCODE = 'LE006';
    END IF;
    IF jsonb_array_length(p_entries) > 0 THEN
        -- A statement of its own: the snapshot of the next one is taken once the lock is held.
        PERFORM pg_advisory_xact_lock(hashtextextended('ledger/' || p_establishment, 0));
        SELECT coalesce(max(position), -1) INTO v_position
        FROM ledger_event WHERE establishment = p_establishment;
        SELECT coalesce(max(seq), -1) INTO v_seq
        FROM ledger_commandreceipt WHERE establishment = p_establishment;
    END IF;

    FOR v_entry IN SELECT value FROM jsonb_array_elements(p_entries) LOOP
        v_events := (v_entry->>'events')::integer;
        command_id := (v_entry->>'command_id')::uuid;
        request_hash := decode(v_entry->>'request_hash', 'hex');

        SELECT * INTO v_receipt FROM ledger_commandreceipt AS receipt
        WHERE receipt.establishment = p_establishment
            AND receipt.command_id = (v_entry->>'command_id')::uuid;
        IF FOUND THEN
            IF v_receipt.request_hash <> decode(v_entry->>'request_hash', 'hex') THEN
                RAISE EXCEPTION 'ledger_command_reused' USING ERRCODE = 'LE002',
                    DETAIL = jsonb_build_object('command_id', v_receipt.command_id);
            END IF;
            first_position := v_receipt.first_position;
            last_position := v_receipt.last_position;
            refusal_code := v_receipt.refusal_code;
            refusal_detail := v_receipt.refusal_detail;
            repeated := true;
            v_next := v_next + v_events;
            RETURN NEXT;
            CONTINUE;
        END IF;

        v_versions := v_entry->'guards';
        FOR v_stream, v_expected IN SELECT key, value::bigint FROM jsonb_each_text(v_versions) LOOP
            SELECT coalesce(max(stream_version), 0) INTO v_actual
            FROM ledger_event WHERE establishment = p_establishment AND stream = v_stream;
            IF v_actual <> v_expected THEN
                RAISE EXCEPTION 'ledger_stream_moved' USING ERRCODE = 'LE001',
                    DETAIL = jsonb_build_object(
                        'stream', v_stream, 'expected', v_expected, 'actual', v_actual);
            END IF;
        END LOOP;

        FOR v_stream, v_expected IN
            SELECT key, value::bigint FROM jsonb_each_text(v_entry->'balances')
        LOOP
            v_actual := coalesce((
                SELECT credits - debits FROM ledger_account
                WHERE establishment = p_establishment AND kind = split_part(v_stream, ':', 1)
                    AND name = substr(v_stream, strpos(v_stream, ':') + 1)), 0);
            IF v_actual <> v_expected THEN
                RAISE EXCEPTION 'ledger_balance_moved' USING ERRCODE = 'LE008',
                    DETAIL = jsonb_build_object(
                        'account', v_stream, 'expected', v_expected, 'actual', v_actual);
            END IF;
        END LOOP;

        first_position := CASE WHEN v_events > 0 THEN v_position + 1 END;
        FOREACH v_body IN ARRAY p_bodies[v_next : v_next + v_events - 1] LOOP
            v_it := convert_from(v_body, 'UTF8')::jsonb;
            v_stream := v_it->>'stream';
            v_expected := (v_versions->>v_stream)::bigint + 1;
            IF (v_it->>'stream_version')::bigint IS DISTINCT FROM v_expected THEN
                RAISE EXCEPTION 'ledger_malformed: % is not at version %', v_stream, v_expected
                    USING ERRCODE = 'LE006';
            END IF;
            v_versions := jsonb_set(v_versions, ARRAY[v_stream], to_jsonb(v_expected));
            v_position := v_position + 1;

            INSERT INTO ledger_event (
                establishment, position, event_id, stream, stream_version, event_type,
                schema_version, command_id, command_seq, actor, device, correlation_id,
                causation_id, occurred_at, recorded_at, gaming_day, body, leaf_hash)
            VALUES (
                p_establishment, v_position, (v_it->>'event_id')::uuid, v_stream, v_expected,
                v_it->>'event_type', (v_it->>'schema_version')::integer,
                (v_entry->>'command_id')::uuid, (v_it->>'command_seq')::integer,
                v_it->>'actor', v_it->>'device', (v_it->>'correlation_id')::uuid,
                (v_it->>'causation_id')::uuid, (v_it->>'occurred_at')::timestamptz,
                (v_it->>'recorded_at')::timestamptz, (v_it->>'gaming_day')::date,
                v_body, sha256('\x00'::bytea || v_body));

            IF v_it->'transfers' <> '[]'::jsonb THEN
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
                FROM jsonb_array_elements(v_it->'transfers') WITH ORDINALITY
                ORDER BY ordinality;
            END IF;
        END LOOP;
        v_next := v_next + v_events;

        last_position := CASE WHEN v_events > 0 THEN v_position END;
        refusal_code := v_entry->>'refusal_code';
        refusal_detail := v_entry->>'refusal_detail';
        repeated := false;
        v_seq := v_seq + 1;
        INSERT INTO ledger_commandreceipt (
            establishment, seq, command_id, request_hash, first_position, last_position,
            refusal_code, refusal_detail, actor, recorded_at)
        VALUES (
            p_establishment, v_seq, (v_entry->>'command_id')::uuid,
            decode(v_entry->>'request_hash', 'hex'), first_position, last_position,
            refusal_code, refusal_detail,
            v_entry->>'actor', (v_entry->>'recorded_at')::timestamptz);
        RETURN NEXT;
    END LOOP;

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

-- Nobody's session turns these off (session_replication_role = replica does turn off others).

ALTER TABLE ledger_event ENABLE ALWAYS TRIGGER ledger_append_only;
ALTER TABLE ledger_event ENABLE ALWAYS TRIGGER ledger_no_truncate;
ALTER TABLE ledger_event ENABLE ALWAYS TRIGGER ledger_check_event;
ALTER TABLE ledger_transfer ENABLE ALWAYS TRIGGER ledger_append_only;
ALTER TABLE ledger_transfer ENABLE ALWAYS TRIGGER ledger_no_truncate;
ALTER TABLE ledger_transfer ENABLE ALWAYS TRIGGER ledger_check_transfer;
ALTER TABLE ledger_transfer ENABLE ALWAYS TRIGGER ledger_book_transfer;
ALTER TABLE ledger_commandreceipt ENABLE ALWAYS TRIGGER ledger_append_only;
ALTER TABLE ledger_commandreceipt ENABLE ALWAYS TRIGGER ledger_no_truncate;
ALTER TABLE ledger_account ENABLE ALWAYS TRIGGER ledger_append_only;
ALTER TABLE ledger_account ENABLE ALWAYS TRIGGER ledger_no_truncate;
ALTER TABLE ledger_account ENABLE ALWAYS TRIGGER ledger_check_account;
ALTER TABLE ledger_tile ENABLE ALWAYS TRIGGER ledger_append_only;
ALTER TABLE ledger_tile ENABLE ALWAYS TRIGGER ledger_no_truncate;
ALTER TABLE ledger_checkpoint ENABLE ALWAYS TRIGGER ledger_append_only;
ALTER TABLE ledger_checkpoint ENABLE ALWAYS TRIGGER ledger_no_truncate;
ALTER TABLE ledger_checkpoint ENABLE ALWAYS TRIGGER ledger_checkpoint_grows;
