// What is no revision and was changed underneath: standings, results that are gone, webhooks, feeds' secrets, keys. On both
// engines.
#include <fmt/format.h>

#include "tests/storage/history.hpp"

namespace costcurve::storage::test {
namespace {

Record sealed_webhook(const std::string& id, const std::string& url, const std::string& secret = "sixteen bytes it is") {
    Record record{{Kind::webhook, id}, "", "{\"url\":\"" + url + "\"}", {}, {}, std::nullopt};
    record.webhook = WebhookFacts{url, secret, {"ping"}, true};
    return record;
}
Record sealed_feed(const std::string& id, const std::string& secret) {
    Record record{{Kind::feed, id}, "", "{}", {}, {}, std::nullopt};
    record.feed = FeedFacts{secret};
    return record;
}

// A run with a result of "s" and standings of two comparisons.
void keep_results(Store& store, double figure) {
    const auto run = std::get<std::int64_t>(store.begin_run(kAlice, {Scope::all, {}, "", "1"}));
    const auto share = store.take_items(run, "1", 1);
    const RunOutcome outcome{share->items().front().document,
                             NewResult{"hash", "1", {"USD", figure, 2, 3, 4, 5, std::nullopt, false, "cost"}, pack("a result")},
                             ""};
    ASSERT_TRUE(share->finish({&outcome, 1}));
    ASSERT_TRUE(store.set_run_state(run, RunState::done, "1", [&](RunCompletion& completion) {
        for (const char* comparison : {"one", "two"}) {
            completion.keep({comparison, "cost", "USD", "s", figure, figure == 1.0, "{}"}, std::nullopt);
        }
    }));
}

void fill_sealed(SampleStore& sample) {
    Store& store = sample.store;
    saved(store, {{Kind::scenario, "s"}, "Scenario", "{}", {}, {}, std::nullopt});
    saved(store, {{Kind::comparison, "one"}, "", "{}", {}, {}, std::nullopt});
    saved(store, {{Kind::comparison, "two"}, "", "{}", {}, {}, std::nullopt});
    keep_results(store, 1.0);
    keep_results(store, 2.0);
    saved(store, sealed_webhook("hook", "https://hooks.example/a"));
    saved(store, sealed_webhook("hook", "https://hooks.example/b", "")); // the secret stays
    saved(store, sealed_webhook("hook", "https://hooks.example/b", "another secret of sixteen"));
    saved(store, sealed_webhook("gone", "https://hooks.example/gone"));
    ASSERT_EQ(store.remove(kAlice, {Kind::webhook, "gone"}).index(), 0U);
    saved(store, sealed_feed("prices", "X-Key: first"));
    saved(store, sealed_feed("prices", "X-Key: second"));
    saved(store, sealed_feed("again", "X-Key: before its deletion"));
    ASSERT_EQ(store.remove(kAlice, {Kind::feed, "again"}).index(), 0U);
    saved(store, sealed_feed("again", ""));
    ASSERT_TRUE(store.add_key(kAlice, {"ci", Role::editor, "", ""}, std::string(64, 'a'), 30));
    ASSERT_TRUE(store.rotate_key(kAlice, "ci", std::string(64, 'b'), {}));
    ASSERT_TRUE(store.add_key(kAlice, {"old", Role::viewer, "", ""}, std::string(64, 'c')));
    ASSERT_TRUE(store.revoke_key(kAlice, "old"));
}

// Triggers and foreign keys off, as somebody who owns the store can have them.
std::unique_ptr<Side> disarmed(const SampleStore& sample) {
    auto side = sample.side();
    if (sample.place.engine() == tests::Engine::postgres) {
        side->execute("SET session_replication_role = replica");
        return side;
    }
    side->execute("PRAGMA foreign_keys = OFF");
    for (const char* table : {"standing", "result", "result_body", "seal", "change", "event", "revision", "body"}) {
        for (const char* what : {"stays", "is_kept"}) {
            side->execute(fmt::format("DROP TRIGGER IF EXISTS {}_{}", table, what));
        }
    }
    return side;
}

TEST(Seals, AWholeStoreIsWhole) {
    SampleStore sample;
    fill_sealed(sample);
    EXPECT_EQ(problems_of(check_of(sample.settings.path)), "");
    saved(sample.store, sealed_webhook("gone", "https://hooks.example/gone"));
    saved(sample.store, sealed_feed("again", "X-Key: anew"));
    EXPECT_EQ(problems_of(check_of(sample.settings.path)), "") << "what was deleted is stored again";
}

TEST(Seals, WhatWasChangedUnderneathIsFound) {
    const std::pair<const char*, const char*> rows[] = {
        {"UPDATE standing SET cheapest = 't' WHERE standing = 1", "standings: of recalculation 1"},
        {"UPDATE standing SET figure = 0.5 WHERE standing = 1", "standings: of recalculation 1"},
        {"UPDATE standing SET body = '{\"figure\":0.5}' WHERE standing = 3", "standings: of recalculation 2"},
        {"UPDATE standing SET objective = 'npv'", "standings: of recalculation 1"},
        {"UPDATE standing SET recorded_at = recorded_at - 1", "standings: of recalculation 1"},
        {"UPDATE standing SET is_base = 1 - is_base", "standings: of recalculation 1"},
        {"DELETE FROM standing WHERE standing = 1", "standings: of recalculation 1"},
        {"DELETE FROM standing WHERE run = 2", "standings: of recalculation 2"},
        {"INSERT INTO standing (comparison, run, recorded_at, objective, currency, cheapest, figure, is_base, body) "
         "SELECT (SELECT document FROM document WHERE id = 's'), 2, 0, 'cost', 'USD', 's', 1.0, 0, '{}'",
         "standings: of recalculation 2"},
        {"UPDATE run SET standings_hash = (SELECT r.standings_hash FROM run r WHERE r.run = 2) WHERE run = 1",
         "standings: of recalculation 1"},
        {"DELETE FROM result WHERE number = 2", "results: recalculation 2 kept 1, and 0 are there"},
        {"DELETE FROM result", "results: recalculation 1 kept 1, and 0 are there"},
        {"UPDATE run SET evaluated = 0", "results: recalculation 1 kept 0, and 1 is there"},
        {"UPDATE webhook SET url = 'https://evil.example/'", "webhooks: hook is called at another address"},
        {"UPDATE webhook SET url = 'https://evil.example/'", "seals: webhook/hook: its address, secret or events are not"},
        {"UPDATE webhook SET secret = 'known to somebody'", "seals: webhook/hook"},
        {"UPDATE webhook SET secret = NULL", "seals: webhook/hook"},
        {"UPDATE webhook SET events = ''", "seals: webhook/hook"},
        {"UPDATE webhook SET enabled = 0", "seals: webhook/hook"},
        {"DELETE FROM webhook", "webhooks: hook is called at another address"},
        {"UPDATE feed_secret SET secret = 'X-Key: other'", "seals: feed/prices: its secret is not"},
        {"DELETE FROM feed_secret", "seals: feed/prices: its secret is missing"},
        {"UPDATE api_secret SET expires_at = NULL", "seals: key/ci: its role, its secrets or their dates are not"},
        {"UPDATE api_secret SET expires_at = expires_at + 1 WHERE expires_at IS NOT NULL", "seals: key/ci"},
        {"UPDATE api_key SET revoked = NULL WHERE name = 'old'", "seals: key/old"},
        {"INSERT INTO api_key (name, role, created) VALUES ('mallory', 'admin', 1)", "keys: mallory was not made by the change"},
        {"INSERT INTO api_key (name, role, created) SELECT 'mallory', 'admin', created FROM api_key WHERE name = 'ci'",
         "keys: mallory was not made by the change"},
        {"DELETE FROM api_key WHERE name = 'ci'", "seals: key/ci is missing"},
        {"DELETE FROM seal WHERE subject = 'webhook/hook'", "what it wrote is not what is stored"},
        {"DELETE FROM seal WHERE subject = 'key/ci'", "what it wrote is not what is stored"},
        {"UPDATE seal SET subject = 'webhook/other' WHERE subject = 'webhook/hook'", "what it wrote is not what is stored"},
    };
    for (const auto& [sql, expected] : rows) {
        SampleStore sample;
        fill_sealed(sample);
        disarmed(sample)->execute(sql);
        const CheckReport report = check_of(sample.settings.path);
        EXPECT_FALSE(report.is_good()) << sql;
        EXPECT_NE(problems_of(report).find(expected), std::string::npos) << sql << "\n" << problems_of(report);
    }
}

// Rows of before schema 15 have no seal: they are not covered, and no damage.
TEST(Seals, WhatWasStoredBeforeThemIsNoDamage) {
    SampleStore sample;
    saved(sample.store, {{Kind::scenario, "s"}, "Scenario", "{}", {}, {}, std::nullopt});
    saved(sample.store, {{Kind::comparison, "one"}, "", "{}", {}, {}, std::nullopt});
    saved(sample.store, {{Kind::comparison, "two"}, "", "{}", {}, {}, std::nullopt});
    keep_results(sample.store, 1.0);
    disarmed(sample)->execute("UPDATE run SET standings_hash = NULL");
    EXPECT_EQ(problems_of(check_of(sample.settings.path)), "");
}

} // namespace
} // namespace costcurve::storage::test
