-- Lines of the sign-in log that met no house are written once, too (D2). The role that runs a house
-- owns no table: it switches nothing off, and session_replication_role does not either.

CREATE OR REPLACE FUNCTION attendants_straysignin_forbid() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'sign_in_log_append_only: % on %', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER sign_in_log_append_only BEFORE UPDATE OR DELETE ON attendants_straysignin
    FOR EACH ROW EXECUTE FUNCTION attendants_straysignin_forbid();
CREATE OR REPLACE TRIGGER sign_in_log_no_truncate BEFORE TRUNCATE ON attendants_straysignin
    FOR EACH STATEMENT EXECUTE FUNCTION attendants_straysignin_forbid();
ALTER TABLE attendants_straysignin ENABLE ALWAYS TRIGGER sign_in_log_append_only;
ALTER TABLE attendants_straysignin ENABLE ALWAYS TRIGGER sign_in_log_no_truncate;
