// A store with the catalogue, its documents as JSON, and which of others are held. No tests here.
#pragma once

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/documents/decode.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/records.hpp"
#include "server/ingest/prices/price_guard.hpp"
#include "server/storage/open_store.hpp"
#include "tests/storage/store_place.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::tests {

using nlohmann::json;
using storage::Kind;
using Documents = std::vector<json>;
using Names = std::vector<std::string>;

inline constexpr double kDistortedToday = 20777; // 2026-11-20
inline constexpr const char* kDistortedDay = "2026-11-20";

struct CatalogueFile {
    const char* name;
    Kind kind;
};
inline constexpr auto kCatalogueFiles = std::to_array<CatalogueFile>({{"devices", Kind::device},
                                                                      {"curves", Kind::curve},
                                                                      {"models", Kind::model},
                                                                      {"measurements", Kind::measurement},
                                                                      {"performances", Kind::performance},
                                                                      {"servers", Kind::server},
                                                                      {"sites", Kind::site},
                                                                      {"offers", Kind::offer},
                                                                      {"endpoints", Kind::endpoint}});

inline model::AnyDocument decoded(Kind kind, json document) {
    auto read = documents::decode_document(kind, document);
    EXPECT_TRUE(read.issues.empty()) << document.dump().substr(0, 300)
                                     << (read.issues.empty() ? "" : read.issues.front().pointer + read.issues.front().message);
    return std::move(read.document);
}

// All numbers in it; of a curve its values.
inline json scaled(json value, double factor) {
    if (value.is_object() && value.contains("points") && value.contains("axis")) {
        for (json& point : value["points"]) {
            point[1] = factor * point[1].get<double>();
        }
        return value;
    }
    if (value.is_object() || value.is_array()) {
        for (json& it : value) {
            it = scaled(it, factor);
        }
        return value;
    }
    return value.is_number() ? json(factor * value.get<double>()) : value;
}

inline json with_scaled(json document, const Names& fields, double factor) {
    for (const std::string& field : fields) {
        if (document.contains(field)) {
            document[field] = scaled(document[field], factor);
        }
    }
    return document;
}

inline Documents all_scaled(const Documents& documents, const Names& fields, double factor) {
    Documents off;
    for (const json& document : documents) {
        off.push_back(with_scaled(document, fields, factor));
        if (off.back().contains("peak_flops")) {
            for (json& peak : off.back()["peak_flops"]) {
                peak = std::min(1e18, peak.get<double>());
            }
        }
        if (off.back().contains("tdp_w")) { // which no document has beyond
            off.back()["tdp_w"] = std::clamp(off.back()["tdp_w"].get<double>(), 1.0, 20000.0);
        }
    }
    return off;
}

inline json renamed(json document, const std::string& id) {
    document["id"] = id;
    return document;
}

// By its days.
inline json price_by_days(const std::vector<std::pair<std::string, double>>& points) {
    json list = json::array();
    for (const auto& [day, price] : points) {
        list.push_back({day, price});
    }
    return {{"kind", "price"}, {"axis", "date"}, {"interpolation", "step"}, {"points", list}};
}

class DistortedDocuments : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        place_ = new StorePlace();
        store_ = storage::open_store({.path = place_->path()});
        catalogue_ = new std::map<Kind, Documents>();
        std::vector<storage::Record> records;
        for (const CatalogueFile& file : kCatalogueFiles) {
            std::ifstream stream(source_folder() / "deploy/catalog" / fmt::format("{}.json", file.name));
            const auto documents = parse_json(std::string(std::istreambuf_iterator<char>(stream), {}));
            ASSERT_TRUE(documents) << file.name;
            for (const json& document : *documents) {
                (*catalogue_)[file.kind].push_back(document);
                records.push_back(documents::encode_record(decoded(file.kind, document), document["id"]));
            }
        }
        const auto saved = store_->save_all({}, records, {});
        const auto* const missing = std::get_if<storage::MissingReferences>(&saved);
        ASSERT_EQ(missing, nullptr) << missing->missing.front().id;
    }
    static void TearDownTestSuite() {
        std::cout << held_ << " distorted documents are held\n";
        delete catalogue_;
        store_.reset();
        delete place_;
    }

    static const Documents& catalogue(Kind kind) { return catalogue_->at(kind); }

    // Stored beside the catalogue from then on.
    static void store(Kind kind, const json& document) {
        const storage::Record record = documents::encode_record(decoded(kind, document), document["id"]);
        const auto saved = store_->save_all({}, {&record, 1}, {});
        ASSERT_EQ(std::get_if<storage::MissingReferences>(&saved), nullptr);
    }

    static ingest::PriceJudgement judged(Kind kind, const Documents& documents) {
        ingest::PriceGuard guard;
        for (const json& document : documents) {
            std::visit(
                [&]<class T>(const T& it) {
                    if constexpr (requires { guard.add(it); }) {
                        guard.add(it);
                    }
                },
                decoded(kind, document));
        }
        return guard.judge(*store_, kDistortedToday);
    }

    // Why those are held that are, each by itself.
    static std::map<std::string, std::string> held(Kind kind, const Documents& documents) {
        std::map<std::string, std::string> reasons;
        const ingest::PriceJudgement judgement = judged(kind, documents);
        for (const ingest::HeldOffer& it : judgement.held) {
            reasons[it.offer] += it.reason;
        }
        for (const ingest::HeldDocument& it : judgement.documents) {
            reasons[it.id] += it.reason;
        }
        return reasons;
    }

    static void expect_held(Kind kind, const Documents& documents, const std::string& what) {
        const auto reasons = held(kind, documents);
        std::string landed;
        for (const json& document : documents) {
            landed += reasons.contains(document["id"]) ? "" : " " + document["id"].get<std::string>();
        }
        EXPECT_EQ(landed, "") << what;
        EXPECT_FALSE(documents.empty()) << what;
        held_ += documents.size();
    }

    static void expect_landing(Kind kind, const Documents& documents, const std::string& what) {
        std::string wrong;
        for (const auto& [id, reason] : held(kind, documents)) {
            wrong += fmt::format("{}: {}\n", id, reason);
        }
        EXPECT_EQ(wrong, "") << what;
        EXPECT_FALSE(documents.empty()) << what;
    }

private:
    static inline StorePlace* place_ = nullptr;
    static inline std::unique_ptr<storage::Store> store_;
    static inline std::map<Kind, Documents>* catalogue_ = nullptr;
    static inline std::size_t held_ = 0;
};

} // namespace costcurve::tests
