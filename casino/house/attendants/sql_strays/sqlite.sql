-- Lines of the sign-in log that met no house are written once, too (D2). As the ledger's triggers:
-- statements end at a line END; and INSERT OR REPLACE, which deletes what stands in its way, is
-- refused before it does.

CREATE TRIGGER attendants_straysignin_no_update BEFORE UPDATE ON attendants_straysignin BEGIN
    SELECT RAISE(ABORT, 'sign_in_log_append_only: UPDATE on attendants_straysignin');
END;
CREATE TRIGGER attendants_straysignin_no_delete BEFORE DELETE ON attendants_straysignin BEGIN
    SELECT RAISE(ABORT, 'sign_in_log_append_only: DELETE on attendants_straysignin');
END;
CREATE TRIGGER attendants_straysignin_no_replace BEFORE INSERT ON attendants_straysignin
WHEN EXISTS (SELECT 1 FROM attendants_straysignin WHERE id = NEW.id) BEGIN
    SELECT RAISE(ABORT, 'sign_in_log_append_only: INSERT over a line of attendants_straysignin');
END;
