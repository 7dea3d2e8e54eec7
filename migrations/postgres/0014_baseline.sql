-- The store as of schema 14 of ../, in PostgreSQL: the same tables and columns, but for revision.row, which was document << 32 | since.
-- Documents as append-only revisions, the points of their curves and their references as rows, and the audit of every write. A row is
-- valid from the change `since` up to, and without, the change `until` (9223372036854775807 while it is current).
-- Integers are bigint, moments microseconds since 1970-01-01 UTC, texts compared byte by byte (COLLATE "C") whatever the database's
-- locale. body, revision, point and reference have no foreign keys: they would cost two thirds of a landing, rows there stay, and
-- costcurve check looks for those that refer to nothing.

-- Whose tables these are; the lock under which changes are numbered is named by the id.
CREATE TABLE store (
    id uuid PRIMARY KEY,
    format bigint NOT NULL
);
INSERT INTO store (id, format) VALUES (gen_random_uuid(), 1);

-- Every write of documents and keys: who, when, on which request; a link of a chain of hashes.
CREATE TABLE change (
    sequence bigint PRIMARY KEY, -- the last one and 1, under the lock: no sequence, whose numbers come late or never
    era bigint NOT NULL,         -- how often the clock had been set back by then
    recorded_at bigint NOT NULL, -- by the clock, ascending within an era
    author text COLLATE "C" NOT NULL,
    address text COLLATE "C" NOT NULL, -- of the client; '' where there was none
    request_id text COLLATE "C" NOT NULL,
    action text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    content bytea, -- SHA-256 of the hashes of what it wrote; NULL of what is in the audit alone
    link bytea,    -- SHA-256 of the link before, and of this row; NULL within its transaction only
    UNIQUE (era, recorded_at)
);
CREATE INDEX change_of_content ON change (sequence) WHERE content IS NOT NULL;

CREATE TABLE document (
    document bigint PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL
);

-- Apart from its revision, so that pages are filtered without reading bodies, and kept once where only points changed.
CREATE TABLE body (
    body bigint PRIMARY KEY,
    text text COLLATE "C" NOT NULL,
    hash bytea NOT NULL, -- SHA-256 of the text
    encoding bigint NOT NULL DEFAULT 1 CHECK (encoding > 0) -- which version of the document format it was written in
);

CREATE TABLE revision (
    document bigint NOT NULL,
    since bigint NOT NULL,
    until bigint NOT NULL CHECK (until > since),
    revision bigint NOT NULL CHECK (revision > 0),
    deleted bigint NOT NULL CHECK (deleted IN (0, 1)),
    kind text COLLATE "C" NOT NULL, -- kind and id are repeated from document: a page is read from one index
    id text COLLATE "C" NOT NULL,
    title text COLLATE "C" NOT NULL,
    search text COLLATE "C" NOT NULL, -- the title in lower case, as ids are
    provider text COLLATE "C",        -- of offers, as the next four
    region text COLLATE "C",
    device text COLLATE "C",
    purchase text COLLATE "C",
    hourly_price double precision,
    body bigint CHECK ((body IS NULL) = (deleted = 1)),
    hash bytea NOT NULL, -- SHA-256 of what stays of this row, of its body, the points that it wrote, and its references
    PRIMARY KEY (document, since)
) WITH (fillfactor = 85);
-- Every document has one row here, what was deleted too: that no other has its kind and id is what makes it unique.
CREATE UNIQUE INDEX current_by_id ON revision (kind, id)
    INCLUDE (document, since, deleted, provider, region, device, purchase, hourly_price) WHERE until = 9223372036854775807;
CREATE VIEW named_document AS SELECT kind, id, document FROM revision WHERE until = 9223372036854775807;

-- Where curves stand in their documents, each text once: '/hourly_price'.
CREATE TABLE pointer (
    pointer bigint PRIMARY KEY,
    text text COLLATE "C" NOT NULL UNIQUE
);
-- A point holds until a later row of the same x; one without y takes it away.
CREATE TABLE point (
    document bigint NOT NULL,
    pointer bigint NOT NULL,
    x double precision NOT NULL,
    since bigint NOT NULL,
    y double precision,
    PRIMARY KEY (document, pointer, x, since) INCLUDE (y) -- read without the table itself
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);

CREATE TABLE reference (
    source bigint NOT NULL,
    target bigint NOT NULL,
    since bigint NOT NULL,
    until bigint NOT NULL CHECK (until > since),
    PRIMARY KEY (source, target, since)
) WITH (fillfactor = 85);
CREATE INDEX reference_by_target ON reference (target, until);

-- A key's role, and its secrets: after a rotation the one before is good for a while.
CREATE TABLE api_key (
    name text COLLATE "C" PRIMARY KEY,
    role text COLLATE "C" NOT NULL,
    created bigint NOT NULL REFERENCES change,
    revoked bigint REFERENCES change
);
CREATE TABLE api_secret (
    hash bytea PRIMARY KEY, -- SHA-256 of the secret, which is kept nowhere
    name text COLLATE "C" NOT NULL REFERENCES api_key,
    created bigint NOT NULL REFERENCES change,
    expires_at bigint -- NULL: it doesn't
);
CREATE INDEX api_secret_of ON api_secret (name, created);

-- Answers given under an Idempotency-Key, for a day. Not a history: forgotten afterwards.
CREATE TABLE answer (
    author text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    kept_at bigint NOT NULL,
    request_hash bytea NOT NULL,
    status bigint NOT NULL,
    content_type text COLLATE "C" NOT NULL,
    body bytea NOT NULL,
    location text COLLATE "C" NOT NULL DEFAULT '', -- where the answer said that something begun or made is
    holder text COLLATE "C", -- of a claim, whose status is 0: who makes the answer, and until when by the database's clock
    lease_until bigint,
    PRIMARY KEY (author, idempotency_key)
);
CREATE INDEX answer_by_age ON answer (kept_at);
CREATE INDEX answer_claimed ON answer (holder) WHERE status = 0;

-- Measurements: samples of sensors and counters as they came, for a while; what they come to by hour, for good; and what providers
-- charged, by day. No history of changes: a measurement is not revised, a bill is replaced by a later copy of it.
CREATE TABLE telemetry_series (
    series bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    source text COLLATE "C" NOT NULL,
    device text COLLATE "C" NOT NULL, -- '' where it is unknown
    metric text COLLATE "C" NOT NULL,
    UNIQUE (source, device, metric)
);
-- Readings of sensors.
CREATE TABLE telemetry_sample (
    minute bigint NOT NULL, -- since 1970-01-01 UTC
    series bigint NOT NULL,
    millisecond bigint NOT NULL, -- of the minute
    value double precision NOT NULL,
    PRIMARY KEY (minute, series, millisecond)
);
-- Readings of counters. By series: each is compared with its neighbours in time.
CREATE TABLE telemetry_counter (
    series bigint NOT NULL,
    time bigint NOT NULL, -- milliseconds since 1970-01-01 UTC
    value double precision NOT NULL,
    PRIMARY KEY (series, time)
);
-- What samples come to, kept up with them.
CREATE TABLE telemetry_hour (
    hour bigint NOT NULL, -- since 1970-01-01 UTC
    series bigint NOT NULL,
    count bigint NOT NULL, -- 0 of an hour that a counter's difference reaches across
    sum double precision,  -- of sensors, as the next
    squares double precision,
    minimum double precision,
    maximum double precision,
    increase double precision, -- of counters
    PRIMARY KEY (hour, series)
);
CREATE INDEX telemetry_hour_by_series ON telemetry_hour (series, hour);
-- One row: the hour up to which counters have been cleared.
CREATE TABLE telemetry_cleared (
    hour bigint NOT NULL
);
INSERT INTO telemetry_cleared VALUES (0);

-- Lines of bills by resource, tags, commitment and units. What names a line stands once, whatever days it has lines of.
CREATE TABLE bill_item (
    item bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    provider text COLLATE "C" NOT NULL,
    region text COLLATE "C" NOT NULL,
    sku text COLLATE "C" NOT NULL,
    purchase text COLLATE "C" NOT NULL, -- '' of what is no machine
    device text COLLATE "C" NOT NULL,   -- '' of what is none of ours
    currency text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,  -- '' where the bill names none, as all below
    category text COLLATE "C" NOT NULL, -- usage, purchase, tax, credit, adjustment, allocation
    resource text COLLATE "C" NOT NULL,
    tags text COLLATE "C" NOT NULL, -- a JSON object of texts, keys ascending
    commitment text COLLATE "C" NOT NULL,
    commitment_status text COLLATE "C" NOT NULL, -- used, unused
    consumed_unit text COLLATE "C" NOT NULL,
    priced_unit text COLLATE "C" NOT NULL,
    virtual_currency text COLLATE "C" NOT NULL
);
-- By a hash: an entry of an index has no room for tags.
CREATE UNIQUE INDEX bill_item_by_name ON bill_item (
    md5(md5(provider) || md5(region) || md5(sku) || md5(purchase) || md5(device) || md5(currency) || md5(account) || md5(category)
        || md5(resource) || md5(tags) || md5(commitment) || md5(commitment_status) || md5(consumed_unit) || md5(priced_unit)
        || md5(virtual_currency)));
CREATE INDEX bill_item_by_group ON bill_item (
    md5(md5(provider) || md5(region) || md5(sku) || md5(purchase) || md5(device) || md5(currency)));
CREATE TABLE bill_line (
    day bigint NOT NULL, -- since 1970-01-01 UTC
    item bigint NOT NULL,
    hours double precision NOT NULL,
    device_hours double precision NOT NULL,
    tokens double precision NOT NULL,
    consumed_quantity double precision NOT NULL,
    priced_quantity double precision NOT NULL,
    virtual_currency_cost double precision NOT NULL,
    billed_cost double precision NOT NULL,
    effective_cost double precision NOT NULL,
    list_cost double precision NOT NULL,
    since bigint NOT NULL, -- the write that it is from
    PRIMARY KEY (day, item)
);

-- Results of stored scenarios, kept as they were computed, and the runs that computed them. A run is what is left to do as rows:
-- where it was cut, it goes on.
CREATE TABLE run (
    run bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    state text COLLATE "C" NOT NULL CHECK (state IN ('queued', 'running', 'done', 'cancelled')),
    scope text COLLATE "C" NOT NULL CHECK (scope IN ('all', 'changed', 'some')),
    schedule text COLLATE "C" NOT NULL, -- '' where nobody's
    author text COLLATE "C" NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL, -- every scenario is evaluated as the store was known after this change; 0: none yet
    created_at bigint NOT NULL,
    started_at bigint,
    ended_at bigint,
    total bigint NOT NULL,
    evaluated bigint NOT NULL DEFAULT 0,
    unchanged bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    webhook text COLLATE "C" NOT NULL DEFAULT '' -- that is told how it ends, whatever events it asks for; '' for none
);
CREATE INDEX run_to_do ON run (run) WHERE state IN ('queued', 'running');
CREATE TABLE run_item (
    run bigint NOT NULL REFERENCES run,
    scenario bigint NOT NULL REFERENCES document,
    state bigint NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3), -- to do, evaluated, unchanged, failed
    problem text COLLATE "C", -- of a failed one: its issues as JSON
    PRIMARY KEY (run, scenario),
    CHECK ((problem IS NOT NULL) = (state = 3))
) WITH (fillfactor = 85);
CREATE INDEX run_item_to_do ON run_item (run, scenario) WHERE state = 0;
CREATE INDEX run_item_failed ON run_item (run, scenario) WHERE state = 3;
-- How many workers took an item and neither did it nor gave it back: what a crash of the server empties counts none of them.
CREATE UNLOGGED TABLE run_attempt (
    run bigint NOT NULL,
    scenario bigint NOT NULL,
    attempts bigint NOT NULL,
    PRIMARY KEY (run, scenario)
) WITH (fillfactor = 70);
-- Up to which change the newest results of all scenarios hold, and by which formulas. One row.
CREATE TABLE recalculated (
    one bigint PRIMARY KEY CHECK (one = 1),
    sequence bigint NOT NULL,
    model_version text COLLATE "C" NOT NULL
);
-- Apart, so that lists of results are read without it.
CREATE TABLE result_body (
    body bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    packed bytea NOT NULL -- the result's JSON, deflated
);
ALTER TABLE result_body ALTER COLUMN packed SET STORAGE EXTERNAL; -- it can't be compressed again
CREATE TABLE result (
    scenario bigint NOT NULL REFERENCES document,
    number bigint NOT NULL CHECK (number > 0), -- of the scenario's results
    run bigint NOT NULL REFERENCES run,
    recorded_at bigint NOT NULL,
    inputs_hash text COLLATE "C" NOT NULL,
    model_version text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    cost double precision NOT NULL,
    cash double precision NOT NULL,
    npv double precision NOT NULL,
    npv_after_tax double precision NOT NULL,
    energy_kwh double precision,
    carbon_kg double precision,
    feasible bigint CHECK (feasible IN (0, 1)), -- NULL of results that did not say
    decide_by text COLLATE "C" NOT NULL DEFAULT '',
    body bigint NOT NULL UNIQUE REFERENCES result_body,
    hash bytea NOT NULL, -- SHA-256 of this row and its packed body
    PRIMARY KEY (scenario, number)
);

-- What happened, who is to be told of it and whether that went well; how far schedules have come, and how comparisons stand. No
-- history of changes: an event and a standing are written once.

-- What deliveries need of current webhooks, beside their documents, which others may read.
CREATE TABLE webhook (
    webhook bigint PRIMARY KEY REFERENCES document,
    url text COLLATE "C" NOT NULL,
    secret text COLLATE "C", -- as it was given, for signing; NULL where the document came without one
    events text COLLATE "C" NOT NULL, -- ' a b ' of kinds; '' for all
    enabled bigint NOT NULL CHECK (enabled IN (0, 1))
);
CREATE TABLE event (
    event bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    recorded_at bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    body text COLLATE "C" NOT NULL -- JSON, opaque here
);
CREATE TABLE delivery (
    delivery bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE, -- random: what receivers know doubles by, after a restored backup too
    event bigint NOT NULL REFERENCES event,
    webhook bigint NOT NULL REFERENCES document,
    state text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'dead')),
    attempts bigint NOT NULL DEFAULT 0,
    next_try_at bigint NOT NULL, -- while it is pending
    last_try_at bigint,
    last_status bigint, -- of HTTP; NULL where there was no answer
    last_error text COLLATE "C" NOT NULL DEFAULT '',
    holder text COLLATE "C", -- who delivers it, and until when by the database's clock
    lease_until bigint,
    UNIQUE (event, webhook)
) WITH (fillfactor = 85);
CREATE INDEX delivery_due ON delivery (webhook, next_try_at) WHERE state = 'pending';
-- A pending delivery that was tried, or that was to be tried first, later than now is from a clock that was ahead.
CREATE INDEX delivery_written ON delivery (coalesce(last_try_at, next_try_at)) WHERE state = 'pending';

CREATE TABLE schedule_tick (
    schedule bigint PRIMARY KEY REFERENCES document,
    until bigint NOT NULL -- ticks up to here are done
);
-- How a watched comparison stood when a run was done.
CREATE TABLE standing (
    standing bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    comparison bigint NOT NULL REFERENCES document,
    run bigint NOT NULL REFERENCES run,
    recorded_at bigint NOT NULL,
    objective text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL, -- of the figure; '' where it is no money
    cheapest text COLLATE "C" NOT NULL, -- the id of a scenario; '' where none can be said to be
    figure double precision NOT NULL, -- its objective
    is_base bigint NOT NULL CHECK (is_base IN (0, 1)), -- the first, or told: what later ones are measured against
    event bigint REFERENCES event, -- that told of it
    body text COLLATE "C" NOT NULL, -- JSON, opaque here
    UNIQUE (comparison, run)
);
CREATE INDEX standing_of ON standing (comparison, standing);
CREATE INDEX standing_base ON standing (comparison, objective, currency, standing) WHERE is_base = 1;

-- Questions that are answered later. Not a history: a job is forgotten a day after its end.
CREATE TABLE job (
    job bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, -- an id is not given again
    state text COLLATE "C" NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    author text COLLATE "C" NOT NULL,
    question text COLLATE "C" NOT NULL, -- the path that it was posted to
    sequence bigint NOT NULL, -- of the change that it is answered as of
    created_at bigint NOT NULL,
    started_at bigint,
    ended_at bigint,
    starts bigint NOT NULL DEFAULT 0, -- how often it was begun
    request bytea NOT NULL, -- JSON, deflated, as the next
    answer bytea, -- an answer of a job that is done, a problem of one that failed
    holder text COLLATE "C", -- who answers it, and until when by the database's clock
    lease_until bigint
);
CREATE INDEX open_job ON job (job) WHERE state IN ('queued', 'running');
CREATE INDEX job_by_author ON job (author, job);

-- What a feed sends with its requests, beside its document, which others may read.
CREATE TABLE feed_secret (
    feed bigint PRIMARY KEY REFERENCES document,
    secret text COLLATE "C" NOT NULL -- as it was given
);
-- What fetched published files by itself, when, and what came of it. No history of changes: a run ends once.
CREATE TABLE feed_run (
    run bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, -- an id is not given again
    feed bigint NOT NULL REFERENCES document,
    author text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'landed', 'unchanged', 'failed')),
    dry_run bigint NOT NULL CHECK (dry_run IN (0, 1)),
    accepts bigint NOT NULL CHECK (accepts IN (0, 1)), -- another header, a smaller or an older file
    started_at bigint NOT NULL,
    ended_at bigint,
    starts bigint NOT NULL DEFAULT 0, -- how often it was begun
    origin text COLLATE "C" NOT NULL DEFAULT '', -- where the file is from: what follows is of it
    bytes bigint NOT NULL DEFAULT 0,
    hash text COLLATE "C" NOT NULL DEFAULT '', -- SHA-256 of its bytes
    etag text COLLATE "C" NOT NULL DEFAULT '',
    modified_at bigint, -- what its server said
    header text COLLATE "C" NOT NULL DEFAULT '', -- its first line, of a table
    rows bigint NOT NULL DEFAULT 0,
    until bigint, -- of samples: the end of the time that was read
    summary text COLLATE "C" NOT NULL DEFAULT '', -- JSON, opaque here
    problem text COLLATE "C" NOT NULL DEFAULT '',
    holder text COLLATE "C", -- who does it, and until when by the database's clock
    lease_until bigint
);
CREATE INDEX feed_run_of ON feed_run (feed, run);
CREATE INDEX feed_run_open ON feed_run (run) WHERE state = 'running';
CREATE UNIQUE INDEX feed_runs_once ON feed_run (feed) WHERE state = 'running';

-- What was recorded stays: only the end of what is current may be set, once. These refuse a mistake; that nobody takes them away, the
-- rights of the daemon's role see to.
CREATE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'CC001'; END $$;
CREATE TRIGGER change_is_kept BEFORE DELETE ON change FOR EACH ROW EXECUTE FUNCTION refuse_write('changes are kept');
CREATE TRIGGER change_is_not_cleared BEFORE TRUNCATE ON change EXECUTE FUNCTION refuse_write('changes are kept');
CREATE TRIGGER change_stays BEFORE UPDATE ON change FOR EACH ROW
    WHEN (OLD.link IS NOT NULL
          OR (NEW.sequence, NEW.era, NEW.recorded_at, NEW.author, NEW.address, NEW.request_id, NEW.action, NEW.subject)
             <> (OLD.sequence, OLD.era, OLD.recorded_at, OLD.author, OLD.address, OLD.request_id, OLD.action, OLD.subject))
    EXECUTE FUNCTION refuse_write('changes stay as recorded');
CREATE TRIGGER body_is_kept BEFORE DELETE ON body FOR EACH ROW EXECUTE FUNCTION refuse_write('bodies are kept');
CREATE TRIGGER body_is_not_cleared BEFORE TRUNCATE ON body EXECUTE FUNCTION refuse_write('bodies are kept');
CREATE TRIGGER body_stays BEFORE UPDATE ON body FOR EACH ROW EXECUTE FUNCTION refuse_write('bodies stay as recorded');
CREATE TRIGGER point_is_kept BEFORE DELETE ON point FOR EACH ROW EXECUTE FUNCTION refuse_write('points are kept');
CREATE TRIGGER point_is_not_cleared BEFORE TRUNCATE ON point EXECUTE FUNCTION refuse_write('points are kept');
CREATE TRIGGER point_stays BEFORE UPDATE ON point FOR EACH ROW EXECUTE FUNCTION refuse_write('points stay as recorded');
CREATE TRIGGER revision_is_kept BEFORE DELETE ON revision FOR EACH ROW EXECUTE FUNCTION refuse_write('revisions are kept');
CREATE TRIGGER revision_is_not_cleared BEFORE TRUNCATE ON revision EXECUTE FUNCTION refuse_write('revisions are kept');
CREATE TRIGGER revision_stays
    BEFORE UPDATE OF document, since, revision, deleted, kind, id, title, search, provider, region, device, purchase, hourly_price,
                     body, hash ON revision
    FOR EACH ROW EXECUTE FUNCTION refuse_write('revisions stay as recorded');
CREATE TRIGGER revision_ends_once BEFORE UPDATE OF until ON revision FOR EACH ROW WHEN (OLD.until <> 9223372036854775807)
    EXECUTE FUNCTION refuse_write('a revision ends once');
CREATE TRIGGER reference_is_kept BEFORE DELETE ON reference FOR EACH ROW EXECUTE FUNCTION refuse_write('references are kept');
CREATE TRIGGER reference_is_not_cleared BEFORE TRUNCATE ON reference EXECUTE FUNCTION refuse_write('references are kept');
CREATE TRIGGER reference_ends_once BEFORE UPDATE ON reference FOR EACH ROW
    WHEN (OLD.until <> 9223372036854775807 OR (NEW.source, NEW.target, NEW.since) <> (OLD.source, OLD.target, OLD.since))
    EXECUTE FUNCTION refuse_write('a reference ends once');
CREATE TRIGGER result_is_kept BEFORE DELETE ON result FOR EACH ROW EXECUTE FUNCTION refuse_write('results are kept');
CREATE TRIGGER result_is_not_cleared BEFORE TRUNCATE ON result EXECUTE FUNCTION refuse_write('results are kept');
CREATE TRIGGER result_stays BEFORE UPDATE ON result FOR EACH ROW EXECUTE FUNCTION refuse_write('results stay as recorded');
CREATE TRIGGER result_body_is_kept BEFORE DELETE ON result_body FOR EACH ROW EXECUTE FUNCTION refuse_write('results are kept');
CREATE TRIGGER result_body_is_not_cleared BEFORE TRUNCATE ON result_body EXECUTE FUNCTION refuse_write('results are kept');
CREATE TRIGGER result_body_stays BEFORE UPDATE ON result_body FOR EACH ROW EXECUTE FUNCTION refuse_write('results stay as recorded');
CREATE TRIGGER standing_is_kept BEFORE DELETE ON standing FOR EACH ROW EXECUTE FUNCTION refuse_write('standings are kept');
CREATE TRIGGER standing_stays BEFORE UPDATE ON standing FOR EACH ROW EXECUTE FUNCTION refuse_write('standings stay as recorded');
CREATE TRIGGER event_is_kept BEFORE DELETE ON event FOR EACH ROW EXECUTE FUNCTION refuse_write('events are kept');
CREATE TRIGGER event_stays BEFORE UPDATE ON event FOR EACH ROW EXECUTE FUNCTION refuse_write('events stay as recorded');
CREATE TRIGGER delivery_is_kept BEFORE DELETE ON delivery FOR EACH ROW EXECUTE FUNCTION refuse_write('deliveries are kept');
CREATE TRIGGER delivery_stays_delivered BEFORE UPDATE ON delivery FOR EACH ROW WHEN (OLD.state = 'delivered')
    EXECUTE FUNCTION refuse_write('what was delivered stays so');
CREATE TRIGGER feed_run_ends_once BEFORE UPDATE ON feed_run FOR EACH ROW WHEN (OLD.state <> 'running')
    EXECUTE FUNCTION refuse_write('a run of a feed ends once');

-- For psql.
CREATE VIEW change_for_people AS
    SELECT sequence, to_timestamp(recorded_at / 1e6) AS recorded_at, author, address, request_id, action, subject FROM change;
