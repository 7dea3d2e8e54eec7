-- Changes in the order of their numbers, whatever the clock said; each with the address that it came from, and a link of a chain of
-- hashes. Bodies, revisions and results have a SHA-256: the program computes those of what is there already. Keys have secrets that
-- end. Deliveries are found that were written under a clock that was ahead.

CREATE TABLE linked_change (
    sequence INTEGER PRIMARY KEY,
    era INTEGER NOT NULL,         -- how often the clock had been set back by then
    recorded_at INTEGER NOT NULL, -- microseconds since 1970-01-01 UTC by the clock, ascending within an era
    author TEXT NOT NULL,
    address TEXT NOT NULL, -- of the client; '' where there was none
    request_id TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    content BLOB, -- SHA-256 of the hashes of what it wrote; NULL of what is in the audit alone
    link BLOB,    -- SHA-256 of the link before, and of this row; NULL within its transaction only
    UNIQUE (era, recorded_at)
) STRICT;
CREATE TABLE hashed_body (
    body INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    hash BLOB NOT NULL -- SHA-256 of the text
) STRICT;
CREATE TABLE hashed_revision (
    row INTEGER PRIMARY KEY CHECK (row = document << 32 | since), -- revisions of a document follow each other
    document INTEGER NOT NULL REFERENCES document,
    since INTEGER NOT NULL REFERENCES change,
    until INTEGER NOT NULL CHECK (until > since),
    revision INTEGER NOT NULL CHECK (revision > 0),
    deleted INTEGER NOT NULL CHECK (deleted IN (0, 1)),
    kind TEXT NOT NULL, -- kind and id are repeated from document: a page is read from one index
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    search TEXT NOT NULL, -- the title in lower case, as ids are
    provider TEXT,        -- of offers, as the next four
    region TEXT,
    device TEXT,
    purchase TEXT,
    hourly_price REAL,
    body INTEGER REFERENCES body CHECK ((body IS NULL) = deleted),
    hash BLOB NOT NULL -- SHA-256 of what stays of this row, of its body, the points that it wrote, and its references
) STRICT;
CREATE TABLE hashed_result (
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
    hash BLOB NOT NULL, -- SHA-256 of this row and its packed body
    PRIMARY KEY (scenario, number)
) STRICT, WITHOUT ROWID;

-- A key's role, and its secrets: after a rotation the one before is good for a while.
CREATE TABLE plain_key (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    created INTEGER NOT NULL REFERENCES change,
    revoked INTEGER REFERENCES change
) STRICT;
CREATE TABLE api_secret (
    hash BLOB PRIMARY KEY, -- SHA-256 of the secret, which is kept nowhere
    name TEXT NOT NULL REFERENCES api_key,
    created INTEGER NOT NULL REFERENCES change,
    expires_at INTEGER -- microseconds since 1970-01-01 UTC; NULL: it doesn't
) STRICT, WITHOUT ROWID;
INSERT INTO plain_key (name, role, created, revoked) SELECT name, role, created, revoked FROM api_key;
INSERT INTO api_secret (hash, name, created) SELECT hash, name, created FROM api_key;
DROP TABLE api_key;
ALTER TABLE plain_key RENAME TO api_key;
CREATE INDEX api_secret_of ON api_secret (name, created);

-- program: hashes (fills linked_change, hashed_body, hashed_revision and hashed_result)

DROP TABLE change;
ALTER TABLE linked_change RENAME TO change;
CREATE INDEX change_of_content ON change (sequence) WHERE content IS NOT NULL;
DROP TABLE body;
ALTER TABLE hashed_body RENAME TO body;
DROP VIEW named_document;
DROP TABLE revision;
ALTER TABLE hashed_revision RENAME TO revision;
-- Every document has one row here, what was deleted too. That no other has its kind and id is for who adds one to see.
CREATE INDEX current_by_id ON revision (kind, id, deleted, provider, region, device, purchase, hourly_price, search)
    WHERE until = 9223372036854775807;
CREATE VIEW named_document AS SELECT kind, id, row >> 32 AS document FROM revision WHERE until = 9223372036854775807;
DROP TABLE result;
ALTER TABLE hashed_result RENAME TO result;

-- A pending delivery that was tried, or that was to be tried first, later than now is from a clock that was ahead.
CREATE INDEX delivery_written ON delivery (coalesce(last_try_at, next_try_at)) WHERE state = 'pending';

CREATE TRIGGER change_is_kept BEFORE DELETE ON change BEGIN SELECT RAISE(ABORT, 'changes are kept'); END;
CREATE TRIGGER change_stays BEFORE UPDATE ON change
    WHEN OLD.link IS NOT NULL
         OR (NEW.sequence, NEW.era, NEW.recorded_at, NEW.author, NEW.address, NEW.request_id, NEW.action, NEW.subject)
            <> (OLD.sequence, OLD.era, OLD.recorded_at, OLD.author, OLD.address, OLD.request_id, OLD.action, OLD.subject)
    BEGIN SELECT RAISE(ABORT, 'changes stay as recorded'); END;
CREATE TRIGGER body_stays BEFORE UPDATE ON body BEGIN SELECT RAISE(ABORT, 'bodies stay as recorded'); END;
CREATE TRIGGER body_is_kept BEFORE DELETE ON body BEGIN SELECT RAISE(ABORT, 'bodies are kept'); END;
CREATE TRIGGER revision_is_kept BEFORE DELETE ON revision BEGIN SELECT RAISE(ABORT, 'revisions are kept'); END;
CREATE TRIGGER revision_stays
    BEFORE UPDATE OF row, document, since, revision, deleted, kind, id, title, search, provider, region, device, purchase,
                     hourly_price, body, hash ON revision
    BEGIN SELECT RAISE(ABORT, 'revisions stay as recorded'); END;
CREATE TRIGGER revision_ends_once BEFORE UPDATE OF until ON revision WHEN OLD.until <> 9223372036854775807
    BEGIN SELECT RAISE(ABORT, 'a revision ends once'); END;
CREATE TRIGGER result_stays BEFORE UPDATE ON result BEGIN SELECT RAISE(ABORT, 'results stay as recorded'); END;
CREATE TRIGGER result_is_kept BEFORE DELETE ON result BEGIN SELECT RAISE(ABORT, 'results are kept'); END;
