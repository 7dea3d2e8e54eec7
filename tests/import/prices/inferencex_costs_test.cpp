// InferenceX's cost constants: rentals as offers that are marked as estimates, owning as curves, placeholders as nothing.
#include <algorithm>

#include "model/documents/calendar.hpp"
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kCostsDay{.source = "InferenceX-app", .date = "2026-08-15"};

double costs_day(std::string_view date) {
    double day = 0.0;
    EXPECT_TRUE(model::parse_date(date, day));
    return day;
}

TEST(InferenceXCosts, AreOffersOfRentalsAndCurvesOfOwning) {
    const Reading reading = read_fixture("inferencex_costs", "inferencex_costs.csv", kCostsDay);
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const h100 = reading.find<model::Offer>("semianalysis.1x-h100-sxm5-80gb.rental");
    ASSERT_NE(h100, nullptr);
    EXPECT_EQ(h100->hourly_price.curve->x, (std::vector<double>{costs_day("2026-04-03"), costs_day("2026-08-15")}));
    EXPECT_EQ(h100->hourly_price.curve->y, (std::vector<double>{1.3, 2}));
    EXPECT_EQ(h100->purchase, model::Purchase::on_demand);
    EXPECT_FALSE(h100->term_months);
    EXPECT_NE(h100->note.find("estimate"), std::string::npos);
    EXPECT_NE(h100->note.find("1.37 kW a GPU"), std::string::npos) << h100->note;
    const auto* const tpu = reading.find<model::Offer>("semianalysis.1x-tpu-v7.committed-36");
    ASSERT_NE(tpu, nullptr);
    EXPECT_EQ(tpu->purchase, model::Purchase::committed);
    EXPECT_EQ(tpu->term_months, 36);
    EXPECT_EQ(tpu->hourly_price.curve->y, std::vector<double>{2});
    const auto* const owned = reading.find<model::Curve>("tco.semianalysis.h100-sxm5-80gb.hyperscaler");
    ASSERT_NE(owned, nullptr);
    EXPECT_EQ(owned->y, (std::vector<double>{1.3, 1.17}));
    EXPECT_EQ(owned->currency, "USD");
    const auto* const cloud = reading.find<model::Curve>("tco.semianalysis.h100-sxm5-80gb.neocloud");
    ASSERT_NE(cloud, nullptr);
    EXPECT_EQ(cloud->y, std::vector<double>{1.69}) << "the newest version has none";
    EXPECT_TRUE(says(reading.report.rejected, 4, "version \"text 60137839763\" has no date"));
    EXPECT_TRUE(says(reading.report.rejected, 5, "Vera Rubin (vr200) is a device that no alias knows"));
}

TEST(InferenceXCosts, PlaceholdersAreLeftOut) {
    const std::string header = "version_read,key,vendor,label,tdp_w,all_in_kw_per_gpu,costh_usd_per_gpu_h,costn_usd_per_gpu_h,"
                               "costr_usd_per_gpu_h\n";
    const Reading reading =
        read_text("inferencex_costs",
                  header + "v,l4,NVIDIA,L4,72,9.99,9.99,0.57,0.6\nv,h200,NVIDIA,H200,700,3.3,3.61,,3.61\n"
                           "v,t4,NVIDIA,T4,70,1,9.99,,\nv,a10,NVIDIA,A10,70,1,-1,,1\nv,a10,AMD,A10,70,1,1,,1.5\n"
                           "v,l4,NVIDIA,L4,72,1,1,0.57,0.7\n",
                  kCostsDay);
    ASSERT_FALSE(reading.error);
    const auto* const card = reading.find<model::Offer>("semianalysis.1x-l4.rental");
    ASSERT_NE(card, nullptr);
    EXPECT_EQ(card->hourly_price.curve->y, std::vector<double>{0.7});
    EXPECT_EQ(std::ranges::count_if(reading.documents,
                                    [](const Document& it) {
                                        const auto* const offer = std::get_if<model::Offer>(&it);
                                        return offer != nullptr && offer->id == "semianalysis.1x-l4.rental";
                                    }),
              2)
        << "two prices of a day, which a merge disputes";
    EXPECT_TRUE(says(reading.report.warnings, 2, "costh_usd_per_gpu_h of L4 is the placeholder 9.99"));
    EXPECT_TRUE(says(reading.report.warnings, 3, "the rental of H200 is the same as its cost of owning"));
    EXPECT_NE(reading.find<model::Curve>("tco.semianalysis.h200-sxm-141gb.hyperscaler"), nullptr);
    EXPECT_TRUE(says(reading.report.rejected, 4, "T4 has no price"));
    EXPECT_TRUE(says(reading.report.rejected, 5, "costh_usd_per_gpu_h is -1"));
    EXPECT_TRUE(says(reading.report.rejected, 6, "A10 (a10) is a device that no alias knows")) << "of another maker";
    EXPECT_TRUE(read_text("inferencex_costs", "key,label\n", kCostsDay).error);
    EXPECT_TRUE(read_text("inferencex_costs", header, kCostsDay).error);
}

TEST(InferenceXCosts, OfTheRealTableAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("inferencex_costs", {"inferencex-tco/gpu_cost_constants.csv"}, kCostsDay);
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 28U);
    const auto* const mi355x = reading.find<model::Offer>("semianalysis.1x-mi355x.rental");
    ASSERT_NE(mi355x, nullptr);
    EXPECT_EQ(mi355x->hourly_price.curve->y, (std::vector<double>{2.1, 2.9}));
    EXPECT_NE(reading.find<model::Offer>("semianalysis.1x-gb300.rental"), nullptr);
    EXPECT_TRUE(says(reading.report.rejected, 28, "Jalapeño (jalapeno) is a device that no alias knows"));
}

} // namespace
} // namespace costcurve::imports
