-- Questions that are answered later. Not a history: a job is forgotten a day after its end.

CREATE TABLE job (
    job INTEGER PRIMARY KEY AUTOINCREMENT, -- an id is not given again
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    author TEXT NOT NULL,
    question TEXT NOT NULL, -- the path that it was posted to
    sequence INTEGER NOT NULL, -- of the change that it is answered as of
    created_at INTEGER NOT NULL, -- microseconds since 1970-01-01 UTC, as all times here
    started_at INTEGER,
    ended_at INTEGER,
    starts INTEGER NOT NULL DEFAULT 0, -- how often it was begun
    request BLOB NOT NULL, -- JSON, deflated, as the next
    answer BLOB -- an answer of a job that is done, a problem of one that failed
) STRICT;
CREATE INDEX open_job ON job (job) WHERE state IN ('queued', 'running');
CREATE INDEX job_by_author ON job (author, job);
