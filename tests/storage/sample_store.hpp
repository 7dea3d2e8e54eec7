// Shared by the tests of storage: a store with a stopped clock, of whatever engine the tests run on, and small documents.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "server/storage/open_store.hpp"
#include "tests/storage/store_place.hpp"

namespace costcurve::storage::test {

using tests::Side;
using tests::StorePlace;

inline constexpr std::int64_t kNoon = 1'795'262'400'000'000; // 2026-11-21T12:00:00Z, in microseconds
inline constexpr std::int64_t kHour = 3'600'000'000;

/// A store of its own, whose clock only the test advances.
struct SampleStore {
    StorePlace place;
    std::atomic<std::int64_t> time = kNoon;
    StoreSettings settings = sample_settings();
    std::unique_ptr<Store> opened = open_store(settings);
    Store& store = *opened;

    StoreSettings sample_settings() {
        StoreSettings sample;
        sample.path = place.path();
        sample.busy_timeout_ms = 2000;
        sample.clock = [this] { return time.load(); };
        return sample;
    }
    /// Another connection to the same data, past the store.
    [[nodiscard]] std::unique_ptr<Side> side() const { return place.side(); }
};

inline const Author kAlice{"alice", "req-1"};

inline Record device(const std::string& id, const std::string& body = "{}") {
    return {{Kind::device, id}, "Device " + id, body, {}, {}, std::nullopt};
}

inline Record offer(const std::string& id, const std::string& device_id, Series prices = {"/hourly_price", {0, 10}, {2.5, 2.0}}) {
    OfferFacts facts{"cloud", "eu", device_id, "on_demand", prices.y.empty() ? 0.0 : prices.y.back()};
    return {{Kind::offer, id}, "Offer " + id, "{\"id\":\"" + id + "\"}", {std::move(prices)}, {{Kind::device, device_id}}, facts};
}

inline Record curve(const std::string& id, std::vector<double> x, std::vector<double> y) {
    return {{Kind::curve, id}, "Curve " + id, "{}", {{"", std::move(x), std::move(y)}}, {}, std::nullopt};
}

/// A text that no compression makes small.
inline std::string incompressible(std::size_t bytes, std::uint32_t seed = 1) {
    std::mt19937 random(seed);
    std::string text(bytes, ' ');
    std::generate(text.begin(), text.end(), [&] { return static_cast<char>('!' + random() % 90); });
    return text;
}

inline ListQuery every(Kind kind) {
    ListQuery query;
    query.kind = kind;
    return query;
}

/// Saves what must be saved.
inline Saved saved(Store& store, const Record& record, const Condition& condition = {}) {
    const SaveOutcome outcome = store.save(kAlice, record, condition);
    const Saved* saved = std::get_if<Saved>(&outcome);
    EXPECT_NE(saved, nullptr) << record.key.id;
    return saved == nullptr ? Saved{} : *saved;
}

inline std::int64_t count(Side& side, const std::string& table) { return side.number("SELECT count(*) FROM " + table); }

/// Calls while a reader of the store is held: within a visit of a bill, which is stored first.
template <class Call> void while_read(Store& store, const Call& call) {
    BillLine line;
    line.day = 20000;
    line.provider = "cloud";
    line.sku = "a";
    line.currency = "USD";
    line.billed_cost = line.effective_cost = 1;
    EXPECT_EQ(store.save_bill(kAlice, std::vector{line}).added, 1U);
    std::size_t visits = 0;
    store.visit_bill(20000, 20001, [&](const BillSum&) {
        ++visits;
        call();
    });
    EXPECT_EQ(visits, 1U);
}

/// The cause of the StoreError that a call throws; fails where it throws none.
template <class Call> StoreError::Cause cause_of(Call call, std::string* text = nullptr) {
    try {
        call();
    } catch (const StoreError& error) {
        if (text != nullptr) {
            *text = error.what();
        }
        return error.cause();
    }
    ADD_FAILURE() << "no StoreError";
    return StoreError::Cause::unavailable;
}

} // namespace costcurve::storage::test

namespace costcurve::storage {

inline void PrintTo(StoreError::Cause cause, std::ostream* out) { *out << "cause " << static_cast<int>(cause); }
inline void PrintTo(const DocumentKey& key, std::ostream* out) { *out << name_of(key.kind) << '/' << key.id; }

} // namespace costcurve::storage
