// An event belongs to the transaction that records it.
#include "server/storage/sql/outbox.hpp"

#include "tests/storage/sqlite/sqlite_store.hpp"

namespace costcurve::storage::test {
namespace {

TEST(Outbox, LosesNothingWithTheTransactionThatRecords) {
    SampleStore sample;
    Record webhook{{Kind::webhook, "w"}, "", "{}", {}, {}, std::nullopt};
    webhook.webhook = WebhookFacts{"https://example.org", "sixteen bytes it is", {}, true};
    saved(sample.store, webhook);
    Database side = side_of(sample);
    {
        const Transaction transaction(side, Transaction::Kind::write);
        sql::record_event(side, {"a", "x", "{}", "", false}, kNoon);
    } // rolled back
    EXPECT_TRUE(sample.store.events({}).empty());
    EXPECT_TRUE(sample.store.deliveries({}).empty());
}

} // namespace
} // namespace costcurve::storage::test
