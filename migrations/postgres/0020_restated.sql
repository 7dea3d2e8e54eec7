-- What a run states that was stored already: it stands where the run that brought it is undone.
ALTER TABLE feed_run ADD COLUMN restated bytea; -- deflated, opaque here

DROP TRIGGER feed_run_ends_once ON feed_run;
CREATE TRIGGER feed_run_ends_once BEFORE UPDATE ON feed_run FOR EACH ROW
    WHEN ((OLD.state = 'unchanged' AND NEW.state NOT IN ('unchanged', 'undone')) OR OLD.state = 'failed'
        OR (OLD.state = 'landed' AND NEW.state NOT IN ('landed', 'undone'))
        OR (OLD.state = 'held' AND NEW.state NOT IN ('landed', 'failed')) OR (OLD.state = 'undone' AND NEW.state <> 'undone'))
    EXECUTE FUNCTION refuse_write('a run of a feed ends once; then it is accepted, rejected or undone');
