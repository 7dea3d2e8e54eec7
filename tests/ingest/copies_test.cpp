// Files of one call that are the same bill, and measurements whose id names another one in the store.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "server/ingest/merge_fields.hpp"
#include "server/ingest/plausible/copies_of_bills.hpp"

namespace costcurve::ingest {
namespace {

BillLine line_of(std::int64_t day, double cost) {
    BillLine line;
    line.day = day;
    line.provider = "aws";
    line.effective_cost = cost;
    return line;
}

TEST(CopiesOfBills, CountOnce) {
    std::vector<BillLine> bill;
    imports::Complaints warnings;
    CopiesOfBills copies(bill, warnings);
    const std::vector<BillLine> october{line_of(1, 10), line_of(2, 20)};
    const auto give = [&](const std::string& name, const std::vector<BillLine>& lines) {
        bill.insert(bill.end(), lines.begin(), lines.end());
        copies.end_file(name);
    };
    give("october.csv", october);
    give("empty.csv", {});
    give("november.csv", {line_of(32, 10)});
    give("october (1).csv", october);
    EXPECT_EQ(bill.size(), 3U);
    ASSERT_EQ(warnings.count, 1U);
    EXPECT_EQ(warnings.first[0].reason, "october (1).csv has the lines of october.csv: they count once");
    give("a part.csv", {line_of(1, 10)});
    give("corrected.csv", {line_of(1, 10), line_of(2, 19)});
    EXPECT_EQ(bill.size(), 6U) << "another amount is another bill, and so is a part";
    EXPECT_EQ(warnings.count, 1U);
}

model::Measurement measured(const std::string& model, const std::string& device) {
    model::Measurement measurement;
    measurement.id = "own.mine";
    measurement.model = model;
    measurement.device = device;
    measurement.precision = model::NumberFormat::fp8;
    return measurement;
}

TEST(OtherMeasurement, OfAnIdThatIsTakenIsRefusedWithBoth) {
    const auto merged = [](const model::Measurement& stored, const model::Measurement& given) {
        const auto both = merge_documents(stored, model::AnyDocument(given), false, nullptr);
        return both ? std::string() : both.error().reason;
    };
    const model::Measurement stored = measured("llama-3.1-8b", "nvidia.h100-sxm5-80gb");
    EXPECT_EQ(merged(stored, stored), "");
    EXPECT_EQ(
        merged(stored, measured("qwen-2.5-72b", "nvidia.h200")),
        "the stored one is serving of llama-3.1-8b on 1x nvidia.h100-sxm5-80gb at fp8, the file's serving of qwen-2.5-72b on 1x "
        "nvidia.h200 at fp8: give another id, or delete the stored one first");
    model::Measurement newer = stored;
    newer.version = "0.12";
    EXPECT_EQ(merged(stored, newer), "") << "measured again";
    newer.devices = 2;
    EXPECT_NE(merged(stored, newer), "");
}

} // namespace
} // namespace costcurve::ingest
