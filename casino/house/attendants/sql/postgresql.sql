-- The sign-in log is written once (D2). The role that runs a house owns no table: it switches
-- nothing off, and session_replication_role does not either.

CREATE OR REPLACE FUNCTION attendants_signin_forbid() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'sign_in_log_append_only: % on %', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER sign_in_log_append_only BEFORE UPDATE OR DELETE ON attendants_signin
    FOR EACH ROW EXECUTE FUNCTION attendants_signin_forbid();
CREATE OR REPLACE TRIGGER sign_in_log_no_truncate BEFORE TRUNCATE ON attendants_signin
    FOR EACH STATEMENT EXECUTE FUNCTION attendants_signin_forbid();
ALTER TABLE attendants_signin ENABLE ALWAYS TRIGGER sign_in_log_append_only;
ALTER TABLE attendants_signin ENABLE ALWAYS TRIGGER sign_in_log_no_truncate;
