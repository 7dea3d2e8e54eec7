-- What `costcurve check` compares with what is no revision: the standings that a run left, and the last state of what is replaced in
-- place. What was written before has none.

ALTER TABLE run ADD COLUMN standings_hash BLOB; -- SHA-256 of its standings, from its end on

-- The address, secret and events of a webhook, the secret of a feed, the role and secrets of a key: as a change left them.
CREATE TABLE seal (
    subject TEXT NOT NULL, -- webhook, feed or key, / and its id or name
    since INTEGER NOT NULL REFERENCES change,
    hash BLOB NOT NULL, -- SHA-256; in the change's content too
    PRIMARY KEY (subject, since)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER seal_stays BEFORE UPDATE ON seal BEGIN SELECT RAISE(ABORT, 'seals stay as recorded'); END;
CREATE TRIGGER seal_is_kept BEFORE DELETE ON seal BEGIN SELECT RAISE(ABORT, 'seals are kept'); END;
