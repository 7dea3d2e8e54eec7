-- What happened, who is to be told of it and whether that went well; how far schedules have come, and how comparisons stand. No
-- history of changes: an event and a standing are written once, a delivery ends delivered or dead.

-- What deliveries need of current webhooks, beside their documents, which others may read.
CREATE TABLE webhook (
    webhook INTEGER PRIMARY KEY REFERENCES document,
    url TEXT NOT NULL,
    secret TEXT, -- as it was given, for signing; NULL where the document came without one
    events TEXT NOT NULL, -- ' a b ' of kinds; '' for all
    enabled INTEGER NOT NULL CHECK (enabled IN (0, 1))
) STRICT;

CREATE TABLE event (
    event INTEGER PRIMARY KEY,
    recorded_at INTEGER NOT NULL, -- microseconds since 1970-01-01 UTC, as all times here
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL -- JSON, opaque here
) STRICT;

CREATE TABLE delivery (
    delivery INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE, -- random: what receivers know doubles by, after a restored backup too
    event INTEGER NOT NULL REFERENCES event,
    webhook INTEGER NOT NULL REFERENCES document,
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'dead')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER NOT NULL, -- while it is pending
    last_try_at INTEGER,
    last_status INTEGER, -- of HTTP; NULL where there was no answer
    last_error TEXT NOT NULL DEFAULT '',
    UNIQUE (event, webhook)
) STRICT;
CREATE INDEX delivery_due ON delivery (webhook, next_try_at) WHERE state = 'pending';

CREATE TABLE schedule_tick (
    schedule INTEGER PRIMARY KEY REFERENCES document,
    until INTEGER NOT NULL -- ticks up to here are done
) STRICT;

-- The id of the webhook that is told how a run ends, whatever events it asks for; '' for none.
ALTER TABLE run ADD COLUMN webhook TEXT NOT NULL DEFAULT '';

-- How a watched comparison stood when a run was done.
CREATE TABLE standing (
    standing INTEGER PRIMARY KEY,
    comparison INTEGER NOT NULL REFERENCES document,
    run INTEGER NOT NULL REFERENCES run,
    recorded_at INTEGER NOT NULL,
    objective TEXT NOT NULL,
    currency TEXT NOT NULL, -- of the figure; '' where it is no money
    cheapest TEXT NOT NULL, -- the id of a scenario; '' where none can be said to be
    figure REAL NOT NULL, -- its objective
    is_base INTEGER NOT NULL CHECK (is_base IN (0, 1)), -- the first, or told: what later ones are measured against
    event INTEGER REFERENCES event, -- that told of it
    body TEXT NOT NULL, -- JSON, opaque here
    UNIQUE (comparison, run)
) STRICT;
CREATE INDEX standing_of ON standing (comparison, standing);
CREATE INDEX standing_base ON standing (comparison, objective, currency, standing) WHERE is_base = 1;

CREATE TRIGGER standing_stays BEFORE UPDATE ON standing BEGIN SELECT RAISE(ABORT, 'standings stay as recorded'); END;
CREATE TRIGGER standing_is_kept BEFORE DELETE ON standing BEGIN SELECT RAISE(ABORT, 'standings are kept'); END;
CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events stay as recorded'); END;
CREATE TRIGGER event_is_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are kept'); END;
CREATE TRIGGER delivery_is_kept BEFORE DELETE ON delivery BEGIN SELECT RAISE(ABORT, 'deliveries are kept'); END;
CREATE TRIGGER delivery_ends_once BEFORE UPDATE ON delivery WHEN OLD.state <> 'pending'
    BEGIN SELECT RAISE(ABORT, 'a delivery ends once'); END;
