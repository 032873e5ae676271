-- What makes the pieces of a partitioned table alike (casino/engine/scale/partitions). All of it is in a schema of
-- its own, `partitions`, which is there while tables are partitioned: pieces are nobody's tables.
--
-- A piece is called <table>_h<number of its part>, and where parts are split by position
-- _p<number of its first position / step> behind that. Its keys and indexes are called as those of
-- the table, with the same ending.

CREATE SCHEMA IF NOT EXISTS partitions;

CREATE TABLE IF NOT EXISTS partitions.of_table (
    name text PRIMARY KEY,           -- of a table of the house
    range_column text,               -- by which its parts are split; NULL: they are not
    step bigint CHECK (step > 0)     -- how many positions of each house go into a piece
);

-- The statements that make on `target` the keys and indexes of `source`, and the columns of each.

CREATE OR REPLACE FUNCTION partitions.keys(source regclass, target text, ending text)
RETURNS TABLE (statement text, is_unique boolean, columns text[])
LANGUAGE sql STABLE SET search_path = pg_catalog, {schema}, pg_temp AS $$
    SELECT
        CASE WHEN conname IS NOT NULL
            THEN format('ALTER TABLE %s ADD CONSTRAINT %I %s', target, named,
                        pg_get_constraintdef(pg_constraint.oid))
            ELSE format('CREATE%s INDEX %I ON %s USING %s',
                        CASE WHEN indisunique THEN ' UNIQUE' ELSE '' END, named, target,
                        substring(pg_get_indexdef(indexrelid) FROM ' USING (.*)$'))
        END,
        indisunique,
        ARRAY(SELECT attname::text FROM pg_attribute
              WHERE attrelid = indrelid AND attnum = ANY (indkey::int2[]))
    FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid
    LEFT JOIN pg_constraint ON conindid = indexrelid AND contype IN ('p', 'u', 'x')
    CROSS JOIN LATERAL (SELECT
        left(regexp_replace(relname, '_h\d+(?:_p\d+n?)?$', ''), 63 - length(ending)) || ending AS named
    ) AS given
    WHERE indrelid = source
    ORDER BY indisprimary DESC, indisunique DESC, relname
$$;

-- The statements that make on `target` the triggers of `source`: those of rows, of statements, or
-- all. A trigger of rows comes to pieces by itself, one of statements does not.

CREATE OR REPLACE FUNCTION partitions.triggers(source regclass, target text, which text)
RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT each FROM pg_trigger, LATERAL (VALUES
        (1, regexp_replace(
            regexp_replace(pg_get_triggerdef(oid), ' ON [^ ]+ FOR ', format(' ON %s FOR ', target)),
            '^CREATE ', 'CREATE OR REPLACE ')),
        (2, format('ALTER TABLE %s %s TRIGGER %I', target,
                   CASE tgenabled WHEN 'A' THEN 'ENABLE ALWAYS' WHEN 'R' THEN 'ENABLE REPLICA'
                       WHEN 'D' THEN 'DISABLE' ELSE 'ENABLE' END, tgname))
    ) AS made (nth, each)
    WHERE tgrelid = source AND NOT tgisinternal
        AND CASE which WHEN 'statements' THEN tgtype & 1 = 0 ELSE true END
    ORDER BY tgname, nth
$$;

-- A table like `source` in the schema of pieces, with its options but without keys.

CREATE OR REPLACE FUNCTION partitions.make(source regclass, piece text, place text, more text[])
RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, {schema}, pg_temp AS $$
DECLARE
    target text := format('partitions.%I', piece);
    options text := (
        SELECT array_to_string(reloptions || more, ', ') FROM pg_class WHERE oid = source);
BEGIN
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING INDEXES)%s%s', target, source,
        CASE WHEN options <> '' THEN format(' WITH (%s)', options) ELSE '' END,
        CASE WHEN place <> '' THEN format(' TABLESPACE %I', place) ELSE '' END);
    RETURN target;
END $$;

-- The keys of `source` and its triggers of statements, onto a piece.

CREATE OR REPLACE FUNCTION partitions.complete(source regclass, piece text)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, {schema}, pg_temp AS $$
DECLARE
    target text := format('partitions.%I', piece);
    each text;
BEGIN
    FOR each IN
        SELECT statement FROM partitions.keys(source, target, substring(piece FROM '_h\d+(?:_p\d+n?)?$'))
    LOOP
        EXECUTE each;
    END LOOP;
    FOR each IN SELECT partitions.triggers(source, target, 'statements') LOOP
        EXECUTE each;
    END LOOP;
END $$;

-- The open pieces: the last of each part, from a position on without an end.

CREATE OR REPLACE VIEW partitions.open_piece AS
SELECT
    of_table.name AS of_table, of_table.range_column, of_table.step,
    part.oid::regclass AS part, part.relname AS part_name, piece.oid::regclass AS piece,
    substring(pg_get_expr(piece.relpartbound, piece.oid) FROM 'FROM \(''?(\d+)''?\)')::bigint AS begins
FROM partitions.of_table
JOIN pg_inherits AS of_part ON of_part.inhparent = to_regclass(of_table.name)
JOIN pg_class AS part ON part.oid = of_part.inhrelid
JOIN pg_inherits AS of_piece ON of_piece.inhparent = part.oid
JOIN pg_class AS piece ON piece.oid = of_piece.inhrelid
WHERE pg_get_expr(piece.relpartbound, piece.oid) LIKE '%TO (MAXVALUE)'
    AND range_column IS NOT NULL;

-- Where an open piece has got rows it ends at the next step, and an empty one stands behind it.
-- Whoever runs the house may call it: it looks at sizes, and does one part at a time.
-- Returns the new piece, or NULL if there is nothing to do.

CREATE OR REPLACE FUNCTION partitions.open_next() RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, {schema}, pg_temp AS $$
DECLARE
    this record;
    top bigint;
    made text;
BEGIN
    FOR this IN
        SELECT * FROM partitions.open_piece WHERE pg_relation_size(piece) > 0 ORDER BY part_name
    LOOP
        -- Appends to houses of this part wait until it is done. Whoever reads it for long is not
        -- waited for: the next call tries again, and rows go into the open piece as before.
        PERFORM set_config('lock_timeout', '500ms', true);
        EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', this.part);
        EXECUTE format('SELECT (max(%I) / %s + 1) * %2$s FROM %s',
            this.range_column, this.step, this.piece) INTO top;
        CONTINUE WHEN top IS NULL;  -- pages without a row: what wrote there was rolled back
        EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', this.part, this.piece);
        EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%s) TO (%s)',
            this.part, this.piece, this.begins, top);
        made := format('%s_p%s', this.part_name, top / this.step);
        PERFORM partitions.make(this.piece, made, '', '{}');
        PERFORM partitions.complete(this.piece, made);
        EXECUTE format(
            'ALTER TABLE %s ATTACH PARTITION partitions.%I FOR VALUES FROM (%s) TO (MAXVALUE)',
            this.part, made, top);
        RETURN made;
    END LOOP;
    RETURN NULL;
END $$;

-- CREATE FUNCTION lets everybody call it; the schema is its owner's, who lets whoever runs the house.

REVOKE ALL ON FUNCTION partitions.open_next() FROM PUBLIC;
