-- Imports have runs too: one of no feed, with its format and its files' names.
ALTER TABLE feed_run ALTER COLUMN feed DROP NOT NULL; -- NULL of an import
ALTER TABLE feed_run
    ADD COLUMN format text COLLATE "C" NOT NULL DEFAULT '', -- of an import
    ADD COLUMN files text COLLATE "C" NOT NULL DEFAULT ''; -- of an import: their names
