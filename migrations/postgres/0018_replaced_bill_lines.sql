-- What a bill's lines were before a change replaced or removed them: undoing that change puts them back.
CREATE TABLE replaced_bill_line (
    day bigint NOT NULL, -- since 1970-01-01 UTC
    item bigint NOT NULL,
    change bigint NOT NULL, -- the one that replaced it
    hours double precision NOT NULL,
    device_hours double precision NOT NULL,
    tokens double precision NOT NULL,
    consumed_quantity double precision NOT NULL,
    priced_quantity double precision NOT NULL,
    virtual_currency_cost double precision NOT NULL,
    billed_cost double precision NOT NULL,
    effective_cost double precision NOT NULL,
    list_cost double precision NOT NULL,
    since bigint NOT NULL, -- the write that it was from
    PRIMARY KEY (day, item, change)
);
CREATE INDEX replaced_bill_line_by_change ON replaced_bill_line (change);
CREATE INDEX replaced_bill_line_by_since ON replaced_bill_line (since);
