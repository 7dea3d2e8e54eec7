-- Results of stored scenarios, kept as they were computed, and the runs that computed them. A run is what is left to do as rows:
-- where it was cut, it goes on.

-- A recalculation.
CREATE TABLE run (
    run INTEGER PRIMARY KEY AUTOINCREMENT,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'cancelled')),
    scope TEXT NOT NULL CHECK (scope IN ('all', 'changed', 'some')),
    schedule TEXT NOT NULL, -- '' where nobody's
    author TEXT NOT NULL,
    request_id TEXT NOT NULL,
    sequence INTEGER NOT NULL, -- every scenario is evaluated as the store was known after this change; 0: none yet
    created_at INTEGER NOT NULL, -- microseconds since 1970-01-01 UTC, as the next two
    started_at INTEGER,
    ended_at INTEGER,
    total INTEGER NOT NULL,
    evaluated INTEGER NOT NULL DEFAULT 0,
    unchanged INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX run_to_do ON run (run) WHERE state IN ('queued', 'running');

CREATE TABLE run_item (
    run INTEGER NOT NULL REFERENCES run,
    scenario INTEGER NOT NULL REFERENCES document,
    state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3), -- to do, evaluated, unchanged, failed
    problem TEXT, -- of a failed one: its issues as JSON
    PRIMARY KEY (run, scenario),
    CHECK ((problem IS NOT NULL) = (state = 3))
) STRICT, WITHOUT ROWID;
CREATE INDEX run_item_to_do ON run_item (run, scenario) WHERE state = 0;
CREATE INDEX run_item_failed ON run_item (run, scenario) WHERE state = 3;

-- Up to which change the newest results of all scenarios hold, and by which formulas. One row.
CREATE TABLE recalculated (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    sequence INTEGER NOT NULL,
    model_version TEXT NOT NULL
) STRICT;

CREATE TABLE result (
    scenario INTEGER NOT NULL REFERENCES document,
    number INTEGER NOT NULL CHECK (number > 0), -- of the scenario's results
    run INTEGER NOT NULL REFERENCES run,
    recorded_at INTEGER NOT NULL, -- microseconds since 1970-01-01 UTC
    inputs_hash TEXT NOT NULL,
    model_version TEXT NOT NULL,
    currency TEXT NOT NULL,
    cost REAL NOT NULL,
    cash REAL NOT NULL,
    npv REAL NOT NULL,
    npv_after_tax REAL NOT NULL,
    energy_kwh REAL NOT NULL,
    carbon_kg REAL NOT NULL,
    body INTEGER NOT NULL UNIQUE REFERENCES result_body,
    PRIMARY KEY (scenario, number)
) STRICT, WITHOUT ROWID;

-- Apart, so that lists of results are read without it.
CREATE TABLE result_body (
    body INTEGER PRIMARY KEY,
    packed BLOB NOT NULL -- the result's JSON, deflated
) STRICT;

CREATE TRIGGER result_stays BEFORE UPDATE ON result BEGIN SELECT RAISE(ABORT, 'results stay as recorded'); END;
CREATE TRIGGER result_is_kept BEFORE DELETE ON result BEGIN SELECT RAISE(ABORT, 'results are kept'); END;
CREATE TRIGGER result_body_stays BEFORE UPDATE ON result_body BEGIN SELECT RAISE(ABORT, 'results stay as recorded'); END;
CREATE TRIGGER result_body_is_kept BEFORE DELETE ON result_body BEGIN SELECT RAISE(ABORT, 'results are kept'); END;

-- Where the answer to a request said that something begun or made is.
ALTER TABLE answer ADD COLUMN location TEXT NOT NULL DEFAULT '';
