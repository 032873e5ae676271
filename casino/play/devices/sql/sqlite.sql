-- What a device sent stays sent (E5). As the ledger's triggers: statements end at a line END;
-- and INSERT OR REPLACE, which deletes what stands in its way, is refused before it does.

CREATE TRIGGER devices_deviceentry_no_update BEFORE UPDATE ON devices_deviceentry BEGIN
    SELECT RAISE(ABORT, 'sequence_book_append_only: UPDATE on devices_deviceentry');
END;
CREATE TRIGGER devices_deviceentry_no_delete BEFORE DELETE ON devices_deviceentry BEGIN
    SELECT RAISE(ABORT, 'sequence_book_append_only: DELETE on devices_deviceentry');
END;
CREATE TRIGGER devices_deviceentry_no_replace BEFORE INSERT ON devices_deviceentry
WHEN EXISTS (
    SELECT 1 FROM devices_deviceentry
    WHERE establishment_id = NEW.establishment_id AND game = NEW.game AND device = NEW.device
        AND seq = NEW.seq
) BEGIN
    SELECT RAISE(ABORT, 'sequence_book_append_only: INSERT over a line of devices_deviceentry');
END;
