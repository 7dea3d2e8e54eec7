-- What this program is to do once with documents that older ones stored; a row goes when it is done.
CREATE TABLE upgrade_due (
    name TEXT PRIMARY KEY
) STRICT;
-- Curves of money state a currency from now on: those that are stored take it from what uses them.
INSERT INTO upgrade_due (name) SELECT 'curve_currencies' WHERE EXISTS (SELECT 1 FROM revision WHERE kind = 'curve');
