// Shared by the tests of storage: a temporary folder, a store with a stopped clock, small documents.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "server/storage/open_store.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::test {

using namespace sqlite;

class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "costcurve_storage_XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error("no folder for the test");
        }
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

inline constexpr std::int64_t kNoon = 1'795'262'400'000'000; // 2026-11-21T12:00:00Z, in microseconds
inline constexpr std::int64_t kHour = 3'600'000'000;

/// A store of its own, whose clock only the test advances.
struct SampleStore {
    Folder folder;
    std::atomic<std::int64_t> time = kNoon;
    StoreSettings settings = sample_settings();
    std::unique_ptr<Store> opened = open_store(settings);
    Store& store = *opened;

    StoreSettings sample_settings() {
        StoreSettings sample;
        sample.path = folder.file("costcurve.db");
        sample.busy_timeout_ms = 2000;
        sample.clock = [this] { return time.load(); };
        return sample;
    }
    /// Another connection to the same file, past the store.
    [[nodiscard]] Database side() const { return {settings.path, Database::Access::write}; }
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

inline std::int64_t count(Database& database, const std::string& table) { return database.number("SELECT count(*) FROM " + table); }

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

inline std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace costcurve::storage::test

namespace costcurve::storage {

inline void PrintTo(StoreError::Cause cause, std::ostream* out) { *out << "cause " << static_cast<int>(cause); }
inline void PrintTo(const DocumentKey& key, std::ostream* out) { *out << name_of(key.kind) << '/' << key.id; }

} // namespace costcurve::storage
