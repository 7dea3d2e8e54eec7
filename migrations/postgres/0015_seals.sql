-- What `costcurve check` compares with what is no revision: the standings that a run left, and the last state of what is replaced in
-- place. What was written before has none.

ALTER TABLE run ADD COLUMN standings_hash bytea; -- SHA-256 of its standings, from its end on

-- The address, secret and events of a webhook, the secret of a feed, the role and secrets of a key: as a change left them.
CREATE TABLE seal (
    subject text COLLATE "C" NOT NULL, -- webhook, feed or key, / and its id or name
    since bigint NOT NULL REFERENCES change,
    hash bytea NOT NULL, -- SHA-256; in the change's content too
    PRIMARY KEY (subject, since)
);

CREATE TRIGGER seal_is_kept BEFORE DELETE ON seal FOR EACH ROW EXECUTE FUNCTION refuse_write('seals are kept');
CREATE TRIGGER seal_is_not_cleared BEFORE TRUNCATE ON seal EXECUTE FUNCTION refuse_write('seals are kept');
CREATE TRIGGER seal_stays BEFORE UPDATE ON seal FOR EACH ROW EXECUTE FUNCTION refuse_write('seals stay as recorded');
