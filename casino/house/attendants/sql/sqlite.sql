-- The sign-in log is written once (D2). As the ledger's triggers: statements end at a line END;
-- and INSERT OR REPLACE, which deletes what stands in its way, is refused before it does.

CREATE TRIGGER attendants_signin_no_update BEFORE UPDATE ON attendants_signin BEGIN
    SELECT RAISE(ABORT, 'sign_in_log_append_only: UPDATE on attendants_signin');
END;
CREATE TRIGGER attendants_signin_no_delete BEFORE DELETE ON attendants_signin BEGIN
    SELECT RAISE(ABORT, 'sign_in_log_append_only: DELETE on attendants_signin');
END;
CREATE TRIGGER attendants_signin_no_replace BEFORE INSERT ON attendants_signin
WHEN EXISTS (SELECT 1 FROM attendants_signin
    WHERE establishment_id = NEW.establishment_id AND id = NEW.id) BEGIN
    SELECT RAISE(ABORT, 'sign_in_log_append_only: INSERT over a line of attendants_signin');
END;
