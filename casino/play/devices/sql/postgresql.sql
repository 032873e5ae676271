-- What a device sent stays sent (E5). The role that runs a house owns no table: it switches
-- nothing off, and session_replication_role does not either.

CREATE OR REPLACE FUNCTION devices_deviceentry_forbid() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'sequence_book_append_only: % on %', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER sequence_book_append_only BEFORE UPDATE OR DELETE ON devices_deviceentry
    FOR EACH ROW EXECUTE FUNCTION devices_deviceentry_forbid();
CREATE OR REPLACE TRIGGER sequence_book_no_truncate BEFORE TRUNCATE ON devices_deviceentry
    FOR EACH STATEMENT EXECUTE FUNCTION devices_deviceentry_forbid();
ALTER TABLE devices_deviceentry ENABLE ALWAYS TRIGGER sequence_book_append_only;
ALTER TABLE devices_deviceentry ENABLE ALWAYS TRIGGER sequence_book_no_truncate;
