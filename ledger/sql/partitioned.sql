-- What keeps the ledger whole where ledger_event is partitioned by position within its house, besides
-- postgresql.sql. A unique index of a partitioned table has to have the position in it, so three of
-- its keys are held by an index in each piece alone. That they hold across the pieces of a house is
-- held here, one writer at a time.

CREATE OR REPLACE FUNCTION ledger_check_once() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, {schema}, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_context text;
    v_appending boolean;
    v_key text;
BEGIN
    -- Within ledger_append the lock is held, the event is numbered behind all others of its house,
    -- and its version is compared with all of its stream.
    GET DIAGNOSTICS v_context = PG_CONTEXT;
    v_appending := strpos(v_context, 'function ledger_append(') > 0;
    IF v_appending AND NEW.position < TG_ARGV[0]::bigint THEN
        RETURN NEW;  -- the house has one piece, whose indexes hold all keys
    END IF;
    IF NOT v_appending THEN
        IF current_setting('transaction_isolation') <> 'read committed' THEN
            RAISE EXCEPTION 'ledger_event needs READ COMMITTED: an older snapshot misses its twin'
                USING ERRCODE = 'LE006';
        END IF;
        -- A statement of its own: the next one sees what it waited for.
        PERFORM pg_advisory_xact_lock(hashtextextended('ledger/' || NEW.establishment, 0));
        IF EXISTS (
            SELECT FROM ledger_event
            WHERE establishment = NEW.establishment AND stream = NEW.stream
                AND stream_version = NEW.stream_version)
        THEN
            v_key := 'ledger_event_stream_version';
        END IF;
    END IF;
    IF EXISTS (
        SELECT FROM ledger_event
        WHERE establishment = NEW.establishment AND event_id = NEW.event_id)
    THEN
        v_key := 'ledger_event_event_id';
    ELSIF EXISTS (
        SELECT FROM ledger_event
        WHERE establishment = NEW.establishment AND command_id = NEW.command_id
            AND command_seq = NEW.command_seq)
    THEN
        v_key := 'ledger_event_command_seq';
    END IF;
    IF v_key IS NOT NULL THEN
        RAISE EXCEPTION 'duplicate key value violates unique constraint "%"', v_key
            USING ERRCODE = 'unique_violation', CONSTRAINT = v_key;
    END IF;
    RETURN NEW;
END $$;

-- Behind ledger_check_event by its name, which reads the columns from the body.
CREATE OR REPLACE TRIGGER ledger_check_once BEFORE INSERT ON ledger_event
    FOR EACH ROW EXECUTE FUNCTION ledger_check_once({step});

-- A plan for any house opens the pieces of the one that is asked for. Planned for each house anew,
-- an append would take longer to plan than to do.
ALTER FUNCTION ledger_append SET plan_cache_mode = force_generic_plan;

ALTER TABLE ledger_event ENABLE ALWAYS TRIGGER ledger_check_once;
