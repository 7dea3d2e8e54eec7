-- What is not known of a result is NULL. Results from now on say whether the scenario can do its work, and by which figure it is
-- decided.

CREATE TABLE known_result (
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
    energy_kwh REAL,
    carbon_kg REAL,
    feasible INTEGER CHECK (feasible IN (0, 1)), -- NULL of results that did not say
    decide_by TEXT NOT NULL DEFAULT '',
    body INTEGER NOT NULL UNIQUE REFERENCES result_body,
    hash BLOB NOT NULL, -- SHA-256 of this row and its packed body
    PRIMARY KEY (scenario, number)
) STRICT, WITHOUT ROWID;
INSERT INTO known_result (scenario, number, run, recorded_at, inputs_hash, model_version, currency, cost, cash, npv, npv_after_tax,
    energy_kwh, carbon_kg, body, hash)
    SELECT scenario, number, run, recorded_at, inputs_hash, model_version, currency, cost, cash, npv, npv_after_tax,
        energy_kwh, carbon_kg, body, hash FROM result ORDER BY scenario, number;
DROP TABLE result;
ALTER TABLE known_result RENAME TO result;

CREATE TRIGGER result_stays BEFORE UPDATE ON result BEGIN SELECT RAISE(ABORT, 'results stay as recorded'); END;
CREATE TRIGGER result_is_kept BEFORE DELETE ON result BEGIN SELECT RAISE(ABORT, 'results are kept'); END;
