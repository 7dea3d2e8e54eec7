-- Bills of several accounts of one provider stand beside each other, a line of each.
CREATE TABLE account_bill_line (
    day INTEGER NOT NULL, -- since 1970-01-01 UTC
    provider TEXT NOT NULL,
    region TEXT NOT NULL,
    sku TEXT NOT NULL,
    purchase TEXT NOT NULL, -- '' of what is no machine
    device TEXT NOT NULL,   -- '' of what is none of ours
    currency TEXT NOT NULL,
    account TEXT NOT NULL, -- '' where the bill names none
    hours REAL NOT NULL,
    device_hours REAL NOT NULL,
    billed_cost REAL NOT NULL,
    effective_cost REAL NOT NULL,
    list_cost REAL NOT NULL,
    since INTEGER NOT NULL REFERENCES change, -- the write that it is from
    PRIMARY KEY (day, provider, region, sku, purchase, device, currency, account)
) STRICT, WITHOUT ROWID;
INSERT INTO account_bill_line (day, provider, region, sku, purchase, device, currency, account, hours, device_hours, billed_cost,
        effective_cost, list_cost, since)
    SELECT day, provider, region, sku, purchase, device, currency, '', hours, device_hours, billed_cost, effective_cost, list_cost,
        since
    FROM bill_line;
DROP TABLE bill_line;
ALTER TABLE account_bill_line RENAME TO bill_line;
