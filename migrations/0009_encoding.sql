-- Which version of the document format a body was written in. What is stored by now is of the first.

ALTER TABLE body ADD COLUMN encoding INTEGER NOT NULL DEFAULT 1 CHECK (encoding > 0);
