-- Imports have runs too: one of no feed, with its format and its files' names.
CREATE TABLE next_feed_run (
    run INTEGER PRIMARY KEY AUTOINCREMENT, -- an id is not given again
    feed INTEGER REFERENCES document, -- NULL of an import
    author TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'running'
        CHECK (state IN ('running', 'landed', 'unchanged', 'failed', 'held', 'undone')),
    dry_run INTEGER NOT NULL CHECK (dry_run IN (0, 1)),
    even_if_odd INTEGER NOT NULL CHECK (even_if_odd IN (0, 1)), -- another header, a smaller or an older file
    started_at INTEGER NOT NULL, -- microseconds since 1970-01-01 UTC, as all times here
    ended_at INTEGER,
    starts INTEGER NOT NULL DEFAULT 0, -- how often it was begun
    origin TEXT NOT NULL DEFAULT '', -- where the file is from: what follows is of it
    bytes INTEGER NOT NULL DEFAULT 0,
    hash TEXT NOT NULL DEFAULT '', -- SHA-256 of its bytes
    etag TEXT NOT NULL DEFAULT '',
    modified_at INTEGER, -- what its server said
    header TEXT NOT NULL DEFAULT '', -- its first line, of a table
    rows INTEGER NOT NULL DEFAULT 0,
    until INTEGER, -- of samples: the end of the time that was read
    summary TEXT NOT NULL DEFAULT '', -- JSON, opaque here
    problem TEXT NOT NULL DEFAULT '',
    held INTEGER NOT NULL DEFAULT 0, -- documents that wait to be accepted
    changes TEXT NOT NULL DEFAULT '', -- numbers of the changes that stored its documents, a blank after each
    recalculation INTEGER, -- of one that is undone: the run that evaluates what that reaches
    held_documents BLOB, -- deflated, opaque here
    format TEXT NOT NULL DEFAULT '', -- of an import
    files TEXT NOT NULL DEFAULT '' -- of an import: their names
) STRICT;
INSERT INTO next_feed_run SELECT *, '', '' FROM feed_run;
UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'feed_run')
    WHERE name = 'next_feed_run' AND EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'feed_run');
DROP TABLE feed_run;
ALTER TABLE next_feed_run RENAME TO feed_run;
CREATE INDEX feed_run_of ON feed_run (feed, run);
CREATE INDEX feed_run_open ON feed_run (run) WHERE state = 'running';
CREATE UNIQUE INDEX feed_runs_once ON feed_run (feed) WHERE state = 'running';
CREATE INDEX feed_run_undone ON feed_run (recalculation) WHERE recalculation IS NOT NULL;

CREATE TRIGGER feed_run_ends_once BEFORE UPDATE ON feed_run
    WHEN OLD.state IN ('unchanged', 'failed') OR (OLD.state = 'landed' AND NEW.state NOT IN ('landed', 'undone'))
        OR (OLD.state = 'held' AND NEW.state NOT IN ('landed', 'failed')) OR (OLD.state = 'undone' AND NEW.state <> 'undone')
    BEGIN SELECT RAISE(ABORT, 'a run of a feed ends once; then it is accepted, rejected or undone'); END;
