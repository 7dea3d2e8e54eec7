-- A delivery that is dead may be sent again. One that was delivered stays so.

DROP TRIGGER delivery_ends_once;
CREATE TRIGGER delivery_stays_delivered BEFORE UPDATE ON delivery WHEN OLD.state = 'delivered'
    BEGIN SELECT RAISE(ABORT, 'what was delivered stays so'); END;
