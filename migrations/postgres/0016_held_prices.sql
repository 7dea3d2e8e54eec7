-- Prices that a feed's run holds back until somebody accepts or rejects them, and runs that are undone.
ALTER TABLE feed_run DROP CONSTRAINT feed_run_state_check;
ALTER TABLE feed_run ADD CONSTRAINT feed_run_state_check
    CHECK (state IN ('running', 'landed', 'unchanged', 'failed', 'held', 'undone'));
ALTER TABLE feed_run RENAME COLUMN accepts TO even_if_odd;
ALTER TABLE feed_run
    ADD COLUMN held bigint NOT NULL DEFAULT 0, -- documents that wait to be accepted
    ADD COLUMN changes text COLLATE "C" NOT NULL DEFAULT '', -- numbers of the changes that stored its documents, a blank after each
    ADD COLUMN recalculation bigint, -- of one that is undone: the run that evaluates what that reaches
    ADD COLUMN held_documents bytea; -- deflated, opaque here
CREATE INDEX feed_run_undone ON feed_run (recalculation) WHERE recalculation IS NOT NULL;

DROP TRIGGER feed_run_ends_once ON feed_run;
CREATE TRIGGER feed_run_ends_once BEFORE UPDATE ON feed_run FOR EACH ROW
    WHEN (OLD.state IN ('unchanged', 'failed') OR (OLD.state = 'landed' AND NEW.state NOT IN ('landed', 'undone'))
          OR (OLD.state = 'held' AND NEW.state NOT IN ('landed', 'failed')) OR (OLD.state = 'undone' AND NEW.state <> 'undone'))
    EXECUTE FUNCTION refuse_write('a run of a feed ends once; then it is accepted, rejected or undone');
