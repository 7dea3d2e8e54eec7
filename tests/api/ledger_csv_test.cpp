// The ledger as CSV: FOCUS columns, RFC 4180 quoting, and sums that are the result's.
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/answers/encode_result.hpp"
#include "tests/api/samples.hpp"

namespace costcurve::tests {
namespace {

using Row = std::vector<std::string>;

// RFC 4180: records end in CRLF; a field in quotes may hold commas, line ends and doubled quotes. Throws at anything else.
std::vector<Row> read_csv(const std::string& text) {
    std::vector<Row> rows;
    std::size_t at = 0;
    while (at < text.size()) {
        Row row;
        for (bool more = true; more;) {
            std::string field;
            if (text.at(at) == '"') {
                for (++at; text.at(at) != '"' || (at + 1 < text.size() && text[at + 1] == '"'); ++at) {
                    field += text[at];
                    if (text[at] == '"') {
                        ++at;
                    }
                }
                ++at;
            } else {
                while (text.at(at) != ',' && text[at] != '\r') {
                    if (text[at] == '"' || text[at] == '\n') {
                        throw std::runtime_error("a bare quote or line feed");
                    }
                    field += text[at++];
                }
            }
            row.push_back(field);
            more = text.at(at) == ',';
            if (more) {
                ++at;
            } else if (text.substr(at, 2) != "\r\n") {
                throw std::runtime_error("a record does not end in CRLF");
            }
        }
        at += 2;
        rows.push_back(row);
    }
    return rows;
}

answers::Evaluated evaluated_ledger(const json& document) {
    model::Result<answers::Evaluated> answer = evaluate_text(document.dump());
    if (!answer) {
        throw std::runtime_error(fmt::format("{}", fmt::join(words(answer.error()), "; ")));
    }
    return std::move(*answer);
}

std::size_t column(const Row& head, const std::string& name) {
    const auto found = std::find(head.begin(), head.end(), name);
    if (found == head.end()) {
        throw std::runtime_error("no column " + name);
    }
    return static_cast<std::size_t>(found - head.begin());
}

TEST(LedgerCsv, HasOneHeaderAndRowsOfItsWidth) {
    const answers::Evaluated answer = evaluated_ledger(mixed());
    const std::vector<Row> rows = read_csv(answers::encode_ledger_csv(answer, true));
    const std::vector<Row> bare = read_csv(answers::encode_ledger_csv(answer, false));
    ASSERT_GT(rows.size(), 10U);
    EXPECT_EQ(rows.size(), bare.size() + 1);
    for (const Row& row : rows) {
        EXPECT_EQ(row.size(), rows.front().size());
    }
    EXPECT_EQ(rows[1], bare[0]);
    // FOCUS 1.0 names; columns of ours begin with x_.
    for (const char* name : {"BillingPeriodStart", "BillingPeriodEnd", "BillingCurrency", "ProviderName", "RegionId",
                             "ChargeCategory", "BilledCost", "EffectiveCost"}) {
        EXPECT_NO_THROW((void)column(rows.front(), name)) << name;
    }
}

TEST(LedgerCsv, SumsToTheTotal) {
    const answers::Evaluated answer = evaluated_ledger(mixed());
    const std::vector<Row> rows = read_csv(answers::encode_ledger_csv(answer, true));
    double cost = 0;
    double cash = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        cost += std::stod(rows[i][column(rows[0], "EffectiveCost")]);
        cash += std::stod(rows[i][column(rows[0], "BilledCost")]);
    }
    EXPECT_NEAR(cost, answer.summary.total.cost, 1e-9 * std::fabs(answer.summary.total.cost));
    EXPECT_NEAR(cash, answer.summary.total.cash, 1e-6 * std::fabs(answer.summary.total.cost));
}

TEST(LedgerCsv, QuotesCommasQuotesAndLineEnds) {
    const std::vector<Row> rows =
        read_csv(answers::encode_ledger_csv(evaluated_ledger(with(mixed(), "/pools/1/min_instances", 1)), true));
    bool seen = false;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i][column(rows[0], "x_Scenario")], "mixed, \"quoted\"");
        if (rows[i][column(rows[0], "ResourceId")] != "burst") {
            continue;
        }
        seen = true;
        EXPECT_EQ(rows[i][column(rows[0], "ProviderName")], "p, \"q\"");
        EXPECT_EQ(rows[i][column(rows[0], "RegionId")], "eu\nwest");
    }
    EXPECT_TRUE(seen);
}

TEST(LedgerCsv, HasThePoolsTagsOnItsRows) {
    json document = with(mixed(), "/pools/1/min_instances", 1);
    document["pools"][1]["tags"] = {{"team", "a, \"b\""}, {"stage", "prod"}};
    const std::vector<Row> rows = read_csv(answers::encode_ledger_csv(evaluated_ledger(document), true));
    bool seen = false;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::string& tags = rows[i][column(rows[0], "Tags")];
        if (rows[i][column(rows[0], "ResourceId")] != "burst") {
            EXPECT_EQ(tags, "");
            continue;
        }
        seen = true;
        EXPECT_EQ(json::parse(tags), (json{{"stage", "prod"}, {"team", "a, \"b\""}})) << "FOCUS 1.2: a JSON object";
    }
    EXPECT_TRUE(seen);
}

TEST(LedgerCsv, CoversEachMonthUpToTheFirstOfTheNext) {
    const std::vector<Row> rows =
        read_csv(answers::encode_ledger_csv(evaluated_ledger(with(with(smallest(), "/start", "2026-12"), "/months", 2)), true));
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1][column(rows[0], "BillingPeriodStart")], "2026-12-01T00:00:00Z");
    EXPECT_EQ(rows[1][column(rows[0], "BillingPeriodEnd")], "2027-01-01T00:00:00Z");
    EXPECT_EQ(rows[2][column(rows[0], "BillingPeriodStart")], "2027-01-01T00:00:00Z");
    // FOCUS 1.0, ChargeCategory: one of a closed list; BillingCurrency: ISO 4217.
    EXPECT_EQ(rows[1][column(rows[0], "BillingCurrency")], "USD");
    EXPECT_EQ(rows[1][column(rows[0], "ChargeCategory")], "Usage");
    // 1 request/s on one instance at 3.6 USD/h, 744 hours
    EXPECT_DOUBLE_EQ(std::stod(rows[1][column(rows[0], "EffectiveCost")]), 2678.4);
    EXPECT_EQ(rows[1][column(rows[0], "x_Category")], "compute");
    EXPECT_EQ(rows[1][column(rows[0], "x_Workload")], "work");
}

} // namespace
} // namespace costcurve::tests
