-- Feeds: what fetched published files by itself, when, and what came of it. No history of changes: a run ends once.

-- What a feed sends with its requests, beside its document, which others may read.
CREATE TABLE feed_secret (
    feed INTEGER PRIMARY KEY REFERENCES document,
    secret TEXT NOT NULL -- as it was given
) STRICT;

CREATE TABLE feed_run (
    run INTEGER PRIMARY KEY AUTOINCREMENT, -- an id is not given again
    feed INTEGER NOT NULL REFERENCES document,
    author TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'landed', 'unchanged', 'failed')),
    dry_run INTEGER NOT NULL CHECK (dry_run IN (0, 1)),
    accepts INTEGER NOT NULL CHECK (accepts IN (0, 1)), -- another header, a smaller or an older file
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
    problem TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX feed_run_of ON feed_run (feed, run);
CREATE INDEX feed_run_open ON feed_run (run) WHERE state = 'running';
CREATE UNIQUE INDEX feed_runs_once ON feed_run (feed) WHERE state = 'running';

CREATE TRIGGER feed_run_ends_once BEFORE UPDATE ON feed_run WHEN OLD.state <> 'running'
    BEGIN SELECT RAISE(ABORT, 'a run of a feed ends once'); END;
