-- Measurements: samples of sensors and counters as they came, for a while; what they come to by hour, for good; and what
-- providers charged, by day. No history of changes: a measurement is not revised, a bill is replaced by a later copy of it.

-- Texts of samples stand once: a sample has four bytes of them.
CREATE TABLE telemetry_series (
    series INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    device TEXT NOT NULL, -- '' where it is unknown
    metric TEXT NOT NULL,
    UNIQUE (source, device, metric)
) STRICT;

-- Readings of sensors. By minute before series: a fleet that reports every few seconds fills few pages at a time, and what is
-- beyond the window is one range.
CREATE TABLE telemetry_sample (
    minute INTEGER NOT NULL, -- since 1970-01-01 UTC
    series INTEGER NOT NULL,
    millisecond INTEGER NOT NULL, -- of the minute
    value REAL NOT NULL,
    PRIMARY KEY (minute, series, millisecond)
) STRICT, WITHOUT ROWID;

-- Readings of counters. By series: each is compared with its neighbours in time.
CREATE TABLE telemetry_counter (
    series INTEGER NOT NULL,
    time INTEGER NOT NULL, -- milliseconds since 1970-01-01 UTC
    value REAL NOT NULL,
    PRIMARY KEY (series, time)
) STRICT, WITHOUT ROWID;

-- What samples come to, kept up with them.
CREATE TABLE telemetry_hour (
    hour INTEGER NOT NULL, -- since 1970-01-01 UTC
    series INTEGER NOT NULL,
    count INTEGER NOT NULL, -- 0 of an hour that a counter's difference reaches across
    sum REAL,               -- of sensors, as the next
    squares REAL,
    minimum REAL,
    maximum REAL,
    increase REAL, -- of counters
    PRIMARY KEY (hour, series)
) STRICT, WITHOUT ROWID;
CREATE INDEX telemetry_hour_by_series ON telemetry_hour (series, hour);

-- One row: the hour up to which counters have been cleared.
CREATE TABLE telemetry_cleared (
    hour INTEGER NOT NULL
) STRICT;
INSERT INTO telemetry_cleared VALUES (0);

CREATE TABLE bill_line (
    day INTEGER NOT NULL, -- since 1970-01-01 UTC
    provider TEXT NOT NULL,
    region TEXT NOT NULL,
    sku TEXT NOT NULL,
    purchase TEXT NOT NULL, -- '' of what is no machine
    device TEXT NOT NULL,   -- '' of what is none of ours
    currency TEXT NOT NULL,
    hours REAL NOT NULL,
    device_hours REAL NOT NULL,
    billed_cost REAL NOT NULL,
    effective_cost REAL NOT NULL,
    list_cost REAL NOT NULL,
    since INTEGER NOT NULL REFERENCES change, -- the write that it is from
    PRIMARY KEY (day, provider, region, sku, purchase, device, currency)
) STRICT, WITHOUT ROWID;
