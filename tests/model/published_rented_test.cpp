// Published pages on support, egress, volume tiers and blocks of days, to the cent: each row another rule or another page.
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::cloud_scenario;
using tests::evaluate_document;
using tests::flat;

constexpr double kUnits = 744.0 * 3600.0; // of January 2026 at 1 a second, the scenarios' month

const std::string kSupport = "https://aws.amazon.com/premiumsupport/pricing/";
const std::string kEnterprise = "https://atonementlicensing.com/blog/aws-enterprise-support-cost/";
const std::vector<SupportBracket> kOfBusiness = {{0, 0.10}, {10000, 0.07}, {80000, 0.05}, {250000, 0.03}};
const std::vector<SupportBracket> kOfEnterprise = {{0, 0.10}, {150000, 0.07}, {500000, 0.05}, {1000000, 0.03}};

// A month's bill of one machine, and what support costs beside it.
struct SupportRow {
    std::string what, source;
    double minimum;
    std::vector<SupportBracket> brackets;
    double bill, support;
};

TEST(PublishedCommitments, OfSupportAreBilledAsTheirPagesDo) {
    const std::vector<SupportRow> rows = {
        {"one fraction of all", kSupport + ", Developer", 29, {{0, 0.03}}, 2000, 60.00},
        {"three brackets", kSupport + ", Business", 100, kOfBusiness, 85000, 6150.00},
        {"four brackets", kSupport + ", Enterprise", 15000, kOfEnterprise, 1200000, 70500.00},
        {"four brackets, another page", kEnterprise, 15000, kOfEnterprise, 2000000, 94500.00},
        {"the minimum", "https://aws.amazon.com/premiumsupport/knowledge-center/support-billing/", 100, kOfBusiness, 500, 100.00},
    };
    for (const SupportRow& row : rows) {
        ScenarioDocument document = cloud_scenario();
        document.pools[0].offer->hourly_price = flat(row.bill / 744);
        document.pools[0].min_instances = document.pools[0].max_instances = 1;
        document.support_plans = {{"support", "", row.minimum, row.brackets}};
        EXPECT_NEAR(evaluate_document(document).summary.total.cost - row.bill, row.support, 0.005)
            << row.what << ": " << row.source;
    }
}

struct EgressRow {
    std::string what, source, destination;
    std::vector<EgressTier> tiers;
    std::vector<double> gb; ///< a month, by pool
    double egress;
};

TEST(PublishedCommitments, OfEgressAreBilledAsTheirPagesDo) {
    const std::string book = "https://cloud-cost-557.pages.dev/blog/estimate-aws-data-transfer-bill/";
    const std::vector<EgressRow> rows = {
        {"100 GB free of 5 TB", book, "", {{"", 0, 0}, {"", 100, 0.09}}, {5120}, 451.80},
        {"to another zone, both directions", book, "zone", {{"", 0, 0.09}, {"zone", 0, 0.01}}, {1000}, 10.00},
        {"1 GB free of all services together",
         "https://chengqing.dev/en/2020/01/23/aws-data-transfer/, ap-southeast-2",
         "",
         {{"", 0, 0}, {"", 1, 0.114}, {"", 10000, 0.098}, {"", 50000, 0.094}, {"", 150000, 0.092}},
         {1, 1},
         0.114},
    };
    for (const EgressRow& row : rows) {
        ScenarioDocument document = cloud_scenario();
        document.pools[0].offer->hourly_price = flat(0);
        document.pools[0].offer->egress_tiers = row.tiers;
        document.pools[0].max_instances = 2;
        document.workloads[0].egress_destination = row.destination;
        document.workloads[0].egress_gb_per_unit = row.gb[0] / kUnits;
        if (row.gb.size() > 1) {
            document.workloads.push_back(document.workloads[0]);
            document.workloads[1].id = "other";
            document.workloads[1].egress_gb_per_unit = row.gb[1] / kUnits;
        }
        EXPECT_NEAR(evaluate_document(document).summary.total.cost, row.egress, 0.0005) << row.what << ": " << row.source;
    }
}

struct VolumeRow {
    std::string what;
    double price_per_thousand;
    std::vector<VolumeTier> tiers;
    double units, cost;
};

// Google's Cloud Vision: 1,000 units of a month are free, those above 5 million cost less.
TEST(PublishedCommitments, OfVolumeAreBilledAsTheirPagesDo) {
    const std::string source = "https://cloud.google.com/vision/pricing";
    const std::vector<VolumeRow> rows = {
        {"labels, all three tiers", 1.50, {{0, 0}, {1000, 1}, {5000000, 1.00 / 1.50}}, 6000000, 4999 * 1.50 + 1000 * 1.00},
        {"text, all three tiers", 1.50, {{0, 0}, {1000, 1}, {5000000, 0.60 / 1.50}}, 6000000, 4999 * 1.50 + 1000 * 0.60},
        {"objects, two tiers", 2.25, {{0, 0}, {1000, 1}, {5000000, 1.50 / 2.25}}, 2000000, 1999 * 2.25},
        {"what is free", 1.50, {{0, 0}, {1000, 1}, {5000000, 1.00 / 1.50}}, 1000, 0.00},
    };
    for (const VolumeRow& row : rows) {
        ScenarioDocument document = tests::api_scenario();
        document.pools[0].price_per_million_units = tests::one_price(flat(row.price_per_thousand * 1000));
        document.pools[0].volume_tiers = row.tiers;
        document.workloads[0].demand.mean_per_s = row.units / kUnits;
        EXPECT_NEAR(evaluate_document(document).summary.total.cost, row.cost, 0.005) << row.what << ": " << source;
    }
}

struct StorageRow {
    std::string what, source;
    double price, gb, storage;
};

TEST(PublishedCommitments, OfStorageAreBilledAsTheirPagesDo) {
    const std::string runpod = "https://docs.runpod.io/get-started/billing-information";
    const std::string google = "https://github.com/developmentseed/bioacoustics-api/files/11512854 (Google's calculator, May 2023)";
    const std::vector<StorageRow> rows = {
        {"disk of a running pod", runpod, 0.10, 100, 10.00}, {"volume of a stopped pod", runpod, 0.20, 100, 20.00},
        {"network volume", runpod, 0.07, 500, 35.00},        {"balanced disk, 30 GiB", google, 0.10, 30, 3.00},
        {"SSD disk, 280 GiB", google, 0.17, 280, 47.60},
    };
    for (const StorageRow& row : rows) {
        ScenarioDocument document = cloud_scenario();
        document.pools[0].offer->hourly_price = flat(0);
        document.pools[0].offer->storage_per_gb_month = row.price;
        document.workloads[0].stored_gb = row.gb;
        EXPECT_NEAR(evaluate_document(document).summary.total.cost, row.storage, 0.005) << row.what << ": " << row.source;
    }
}

// AWS's Capacity Blocks: the reservation fee is charged up front, hours × instances × the effective hourly rate.
TEST(PublishedCommitments, OfBlocksArePaidAhead) {
    const std::string source = "https://aws.amazon.com/ec2/capacityblocks/pricing/, p5.48xlarge at 39.33 an hour";
    for (const auto& [days, instances, cost] :
         std::vector<std::tuple<int, int, double>>{{1, 1, 943.92}, {14, 4, 52859.52}, {7, 64, 422876.16}}) {
        ScenarioDocument document = cloud_scenario();
        document.workloads[0].demand.mean_per_s = 0;
        Pool& pool = document.pools[0];
        pool.offer->purchase = Purchase::block;
        pool.offer->term_days = days;
        pool.offer->hourly_price = flat(0);
        pool.offer->upfront = 39.33 * 24 * days;
        pool.min_instances = pool.max_instances = instances;
        pool.from_day = 12;
        EXPECT_NEAR(evaluate_document(document).summary.total.cash, cost, 0.005) << days << " days: " << source;
    }
}

} // namespace
} // namespace costcurve::model
