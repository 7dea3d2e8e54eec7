-- What a bill's lines were before a change replaced or removed them: undoing that change puts them back.
CREATE TABLE replaced_bill_line (
    day INTEGER NOT NULL, -- since 1970-01-01 UTC
    item INTEGER NOT NULL REFERENCES bill_item,
    change INTEGER NOT NULL REFERENCES change, -- the one that replaced it
    hours REAL NOT NULL,
    device_hours REAL NOT NULL,
    tokens REAL NOT NULL,
    consumed_quantity REAL NOT NULL,
    priced_quantity REAL NOT NULL,
    virtual_currency_cost REAL NOT NULL,
    billed_cost REAL NOT NULL,
    effective_cost REAL NOT NULL,
    list_cost REAL NOT NULL,
    since INTEGER NOT NULL REFERENCES change, -- the write that it was from
    PRIMARY KEY (day, item, change)
) STRICT, WITHOUT ROWID;
CREATE INDEX replaced_bill_line_by_change ON replaced_bill_line (change);
CREATE INDEX replaced_bill_line_by_since ON replaced_bill_line (since);
