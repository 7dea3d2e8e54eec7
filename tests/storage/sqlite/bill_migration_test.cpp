// Bills of an older schema.
#include "server/storage/sqlite/migrations.hpp"
#include "tests/storage/sqlite/sqlite_store.hpp"

namespace costcurve::storage::test {
namespace {

// Lines of the twelfth schema, which had no resources and no tags.
TEST(EmbeddedMigrations, KeepTheBillsOfAnOlderStore) {
    const Folder folder;
    StoreSettings settings;
    settings.path = folder.file("a.db");
    {
        Database database(settings.path, Database::Access::create);
        migrate(database, migrations().first(12), kNoon);
        database.execute(R"(
            INSERT INTO change (sequence, era, recorded_at, author, address, request_id, action, subject)
                VALUES (1, 0, 1795262400000001, 'alice', '', '', 'save_bill', '3 lines');
            INSERT INTO bill_line (day, provider, region, sku, purchase, device, currency, account, hours, device_hours,
                    billed_cost, effective_cost, list_cost, since) VALUES
                (20000, 'cloud', 'eu', 'a', '', '', 'USD', '1', 24, 192, 10, 9, 20, 1),
                (20001, 'cloud', 'eu', 'a', '', '', 'USD', '1', 12, 96, 5, 4, 10, 1),
                (20001, 'cloud', 'eu', 'b', '', '', 'USD', '', 1, 1, 3, 3, 3, 1);)");
    }
    const auto opened = open_store(settings);
    const BillTotal total = opened->bill({.from_day = 20000, .to_day = 20002}).at(0);
    EXPECT_EQ(std::tuple(total.lines, total.hours, total.device_hours), std::tuple(3, 37.0, 289.0));
    EXPECT_EQ(std::tuple(total.billed_cost, total.effective_cost, total.list_cost), std::tuple(18.0, 16.0, 33.0));
    BillLine same;
    same.day = 20000;
    same.provider = "cloud";
    same.region = "eu";
    same.sku = "a";
    same.currency = "USD";
    same.billed_cost = 10;
    same.effective_cost = 10;
    same.account = "1";
    same.resource = "i-1";
    EXPECT_EQ(opened->save_bill({"alice", ""}, std::vector{same}).changed, 1U) << "in place of the line without a resource";
    EXPECT_EQ(opened->bill({.from_day = 20000, .to_day = 20002}).at(0).billed_cost, 18);
}

} // namespace
} // namespace costcurve::storage::test
