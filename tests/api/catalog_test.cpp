// The shipped catalogue reads: every document keeps the field tables' rules.
#include <array>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/documents/json/parsed_json.hpp"
#include "tests/api/samples.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::tests {

TEST(Catalogue, EveryDocumentKeepsTheRulesOfItsFields) {
    struct Row {
        const char* file;
        const char* kind;
        std::size_t least; ///< documents that the catalogue promises
    };
    constexpr auto rows = std::to_array<Row>({{"devices", "device", 25},
                                              {"offers", "offer", 60},
                                              {"servers", "server", 5},
                                              {"sites", "site", 4},
                                              {"curves", "curve", 1},
                                              {"performances", "performance", 20},
                                              {"models", "model", 60},
                                              {"endpoints", "endpoint", 40}});
    for (const Row& row : rows) {
        std::ifstream file(tests::source_folder() / "deploy/catalog" / fmt::format("{}.json", row.file));
        const auto documents = parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
        ASSERT_TRUE(documents) << row.file << ": " << documents.error().message;
        EXPECT_GE(documents->size(), row.least) << row.file;
        for (const nlohmann::json& document : *documents) {
            for (const model::Issue& issue : check_document(row.kind, document)) {
                ADD_FAILURE() << document["id"] << " " << issue.pointer << ": " << issue.message;
            }
        }
    }
}

} // namespace costcurve::tests
