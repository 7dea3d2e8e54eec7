-- Documents as append-only revisions, the points of their curves and their references as rows, and the audit of every write.
-- A row is valid from the change `since` up to, and without, the change `until` (9223372036854775807 while it is current).

-- Every write of documents and keys: who, when, on which request.
CREATE TABLE change (
    sequence INTEGER PRIMARY KEY,
    recorded_at INTEGER NOT NULL UNIQUE, -- microseconds since 1970-01-01 UTC, ascending with sequence
    author TEXT NOT NULL,
    request_id TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL
) STRICT;

CREATE TABLE document (
    document INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    UNIQUE (kind, id)
) STRICT;

-- Apart from its revision, so that pages are filtered without reading bodies, and kept once where only points changed.
CREATE TABLE body (
    body INTEGER PRIMARY KEY,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE revision (
    row INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES document,
    revision INTEGER NOT NULL CHECK (revision > 0),
    since INTEGER NOT NULL REFERENCES change,
    until INTEGER NOT NULL CHECK (until > since),
    deleted INTEGER NOT NULL CHECK (deleted IN (0, 1)),
    kind TEXT NOT NULL, -- kind and id are repeated from document: a page is read from one index
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    search TEXT NOT NULL, -- id and title in lower case
    provider TEXT,        -- of offers, as the next four
    region TEXT,
    device TEXT,
    purchase TEXT,
    hourly_price REAL,
    body INTEGER REFERENCES body CHECK ((body IS NULL) = deleted),
    UNIQUE (document, since)
) STRICT;

CREATE INDEX current_by_id ON revision (kind, id, search, provider, region, device, purchase, hourly_price)
    WHERE until = 9223372036854775807 AND deleted = 0;
CREATE INDEX current_by_provider ON revision (kind, provider, id, region, device, purchase, hourly_price)
    WHERE until = 9223372036854775807 AND deleted = 0 AND provider IS NOT NULL;
CREATE INDEX current_by_region ON revision (kind, region, id, provider, device, purchase, hourly_price)
    WHERE until = 9223372036854775807 AND deleted = 0 AND region IS NOT NULL;
CREATE INDEX current_by_device ON revision (kind, device, id, provider, region, purchase, hourly_price)
    WHERE until = 9223372036854775807 AND deleted = 0 AND device IS NOT NULL;

CREATE TABLE curve (
    curve INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES document,
    pointer TEXT NOT NULL,
    UNIQUE (document, pointer)
) STRICT;

-- A point holds until a later row of the same x; one without y takes it away.
CREATE TABLE point (
    curve INTEGER NOT NULL REFERENCES curve,
    x REAL NOT NULL,
    since INTEGER NOT NULL REFERENCES change,
    y REAL,
    PRIMARY KEY (curve, x, since)
) STRICT, WITHOUT ROWID;

CREATE TABLE reference (
    source INTEGER NOT NULL REFERENCES document,
    target INTEGER NOT NULL REFERENCES document,
    since INTEGER NOT NULL REFERENCES change,
    until INTEGER NOT NULL CHECK (until > since),
    PRIMARY KEY (source, target, since)
) STRICT, WITHOUT ROWID;
CREATE INDEX reference_by_target ON reference (target, until);

CREATE TABLE api_key (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE, -- SHA-256 of the secret, which is kept nowhere
    created INTEGER NOT NULL REFERENCES change,
    revoked INTEGER REFERENCES change
) STRICT;

-- Answers given under an Idempotency-Key, for a day. Not a history: forgotten afterwards.
CREATE TABLE answer (
    author TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    kept_at INTEGER NOT NULL, -- microseconds since 1970-01-01 UTC
    request_hash BLOB NOT NULL,
    status INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (author, idempotency_key)
) STRICT;
CREATE INDEX answer_by_age ON answer (kept_at);

-- What was recorded stays: only the end of what is current may be set, once.
CREATE TRIGGER change_stays BEFORE UPDATE ON change BEGIN SELECT RAISE(ABORT, 'changes stay as recorded'); END;
CREATE TRIGGER change_is_kept BEFORE DELETE ON change BEGIN SELECT RAISE(ABORT, 'changes are kept'); END;
CREATE TRIGGER body_stays BEFORE UPDATE ON body BEGIN SELECT RAISE(ABORT, 'bodies stay as recorded'); END;
CREATE TRIGGER body_is_kept BEFORE DELETE ON body BEGIN SELECT RAISE(ABORT, 'bodies are kept'); END;
CREATE TRIGGER point_stays BEFORE UPDATE ON point BEGIN SELECT RAISE(ABORT, 'points stay as recorded'); END;
CREATE TRIGGER point_is_kept BEFORE DELETE ON point BEGIN SELECT RAISE(ABORT, 'points are kept'); END;
CREATE TRIGGER revision_is_kept BEFORE DELETE ON revision BEGIN SELECT RAISE(ABORT, 'revisions are kept'); END;
CREATE TRIGGER revision_stays
    BEFORE UPDATE OF row, document, revision, since, deleted, kind, id, title, search, provider, region, device, purchase,
                     hourly_price, body ON revision
    BEGIN SELECT RAISE(ABORT, 'revisions stay as recorded'); END;
CREATE TRIGGER revision_ends_once BEFORE UPDATE OF until ON revision WHEN OLD.until <> 9223372036854775807
    BEGIN SELECT RAISE(ABORT, 'a revision ends once'); END;
CREATE TRIGGER reference_is_kept BEFORE DELETE ON reference BEGIN SELECT RAISE(ABORT, 'references are kept'); END;
CREATE TRIGGER reference_ends_once BEFORE UPDATE ON reference
    WHEN OLD.until <> 9223372036854775807 OR (NEW.source, NEW.target, NEW.since) <> (OLD.source, OLD.target, OLD.since)
    BEGIN SELECT RAISE(ABORT, 'a reference ends once'); END;
