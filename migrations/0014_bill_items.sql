-- Lines of bills by resource, tags, commitment and units. What names a line stands once, whatever days it has lines of.
CREATE TABLE bill_item (
    item INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    region TEXT NOT NULL,
    sku TEXT NOT NULL,
    purchase TEXT NOT NULL, -- '' of what is no machine
    device TEXT NOT NULL,   -- '' of what is none of ours
    currency TEXT NOT NULL,
    account TEXT NOT NULL,  -- '' where the bill names none, as all below
    category TEXT NOT NULL, -- usage, purchase, tax, credit, adjustment, allocation
    resource TEXT NOT NULL,
    tags TEXT NOT NULL, -- a JSON object of texts, keys ascending
    commitment TEXT NOT NULL,
    commitment_status TEXT NOT NULL, -- used, unused
    consumed_unit TEXT NOT NULL,
    priced_unit TEXT NOT NULL,
    virtual_currency TEXT NOT NULL,
    UNIQUE (provider, region, sku, purchase, device, currency, account, category, resource, tags, commitment, commitment_status,
        consumed_unit, priced_unit, virtual_currency)
) STRICT;
CREATE TABLE itemized_bill_line (
    day INTEGER NOT NULL, -- since 1970-01-01 UTC
    item INTEGER NOT NULL REFERENCES bill_item,
    hours REAL NOT NULL,
    device_hours REAL NOT NULL,
    tokens REAL NOT NULL,
    consumed_quantity REAL NOT NULL,
    priced_quantity REAL NOT NULL,
    virtual_currency_cost REAL NOT NULL,
    billed_cost REAL NOT NULL,
    effective_cost REAL NOT NULL,
    list_cost REAL NOT NULL,
    since INTEGER NOT NULL REFERENCES change, -- the write that it is from
    PRIMARY KEY (day, item)
) STRICT, WITHOUT ROWID;
INSERT INTO bill_item (provider, region, sku, purchase, device, currency, account, category, resource, tags, commitment,
        commitment_status, consumed_unit, priced_unit, virtual_currency)
    SELECT DISTINCT provider, region, sku, purchase, device, currency, account, 'usage', '', '', '', '', '', '', '' FROM bill_line;
INSERT INTO itemized_bill_line (day, item, hours, device_hours, tokens, consumed_quantity, priced_quantity, virtual_currency_cost,
        billed_cost, effective_cost, list_cost, since)
    SELECT day, item, hours, device_hours, 0, 0, 0, 0, billed_cost, effective_cost, list_cost, since
    FROM bill_line JOIN bill_item USING (provider, region, sku, purchase, device, currency, account);
DROP TABLE bill_line;
ALTER TABLE itemized_bill_line RENAME TO bill_line;
