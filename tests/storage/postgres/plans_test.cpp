// Statements are prepared once, some while tables are empty: what they read is by index, for that of each key alone, ever after.
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

constexpr int kOffers = 2000;
constexpr int kReads = 200;

Record priced(int number, double price) { return offer(fmt::format("o{}", number), "d", {"/hourly_price", {0, 10}, {price, 2.0}}); }

void read_one_by_one(Store& store, int offers) {
    for (int i = 0; i < kReads; ++i) {
        const DocumentKey key{Kind::offer, fmt::format("o{}", i % offers)};
        EXPECT_TRUE(store.snapshot()->load(key).has_value());
        EXPECT_TRUE(store.snapshot()->value_at(key, "/hourly_price", 5.0).has_value());
    }
}

std::int64_t index_entries_read(Side& side) {
    for (int i = 0; i < 500; ++i) { // a server counts what a connection did once it is gone
        if (side.number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()") ==
            0) {
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return side.number("SELECT sum(idx_tup_read) FROM pg_stat_user_indexes");
}

TEST(PostgresPlans, OfEmptyTablesReadNoMoreOnceTheyAreFull) {
    SampleStore sample;
    saved(sample.store, device("d"));
    saved(sample.store, priced(0, 1.0));
    read_one_by_one(sample.store, 1); // plans are kept from the sixth time on
    std::vector<Record> records;
    for (int i = 0; i < kOffers; ++i) {
        records.push_back(priced(i, 3.0));
    }
    ASSERT_TRUE(std::holds_alternative<std::vector<Saved>>(sample.store.save_all(kAlice, records)));
    for (Record& record : records) {
        record.series[0].y[0] = 4.0;
    }
    ASSERT_TRUE(std::holds_alternative<std::vector<Saved>>(sample.store.save_all(kAlice, records)));
    read_one_by_one(sample.store, kOffers);
    for (int i = 0; i < kReads; ++i) {
        saved(sample.store, priced(i, 5.0));
    }
    sample.opened.reset();
    EXPECT_LT(index_entries_read(*sample.side()), 20 * (2 * kOffers + 5 * kReads));
}

} // namespace
} // namespace costcurve::storage::test
