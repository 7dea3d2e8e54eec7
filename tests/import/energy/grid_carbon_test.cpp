// Carbon intensity by cloud region: units, blanks, providers.
#include "model/documents/calendar.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kAws{.name = "grid.csv", .date = "2021-07-01", .provider = "aws"};

TEST(GridCarbon, BecomesGramsByRegion) {
    const Reading reading = read_text("grid_carbon",
                                      "Region,Country,NERC Region,CO2e (metric ton/kWh),Source\n"
                                      "us-east-1,United States,SERC,0.000415755,EPA\neu-north-1,Sweden,,0.000008,EEA",
                                      kAws);
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const curve = reading.find<model::Curve>("carbon.aws.us-east-1");
    ASSERT_NE(curve, nullptr);
    EXPECT_EQ(curve->kind, model::CurveKind::carbon);
    EXPECT_EQ(curve->axis, model::Axis::date);
    EXPECT_EQ(curve->x, std::vector<double>{model::days_since_epoch(2021, 7, 1)});
    EXPECT_NEAR(curve->y[0], 415.755, 1e-9);
    EXPECT_EQ(curve->note, "Carbon intensity of the grid of region us-east-1, from EPA.");
    EXPECT_EQ(curve->note.find("2021"), std::string::npos) << "a later snapshot makes the same curve";
    EXPECT_NEAR(reading.find<model::Curve>("carbon.aws.eu-north-1")->y[0], 8.0, 1e-12) << "a last line without its end";
}

TEST(GridCarbon, ReadsTheUnitOfTheHeader) {
    struct Row {
        const char* column;
        double g_per_kwh; // of 2 in the file
    };
    for (const Row& row : {Row{"Grid carbon intensity (gCO2eq / kWh)", 2.0}, Row{"kgCO2e/kWh", 2000.0}, Row{"t CO2e/MWh", 2000.0},
                           Row{"lb/MWh", 0.90718474}, Row{"kg/MWh", 2.0}}) {
        const Reading reading = read_text("grid_carbon", std::string("Google Cloud Region,") + row.column + "\nx,2\n", kAws);
        ASSERT_FALSE(reading.error) << row.column << reading.error->message;
        EXPECT_NEAR(reading.find<model::Curve>("carbon.aws.x")->y[0], row.g_per_kwh, 1e-9) << row.column;
    }
}

TEST(GridCarbon, SaysWhatItCannotUse) {
    const Reading reading =
        read_text("grid_carbon", "Region,CO2e (metric ton/kWh)\na,0.0005\nb,\nc,-1\nd,415\ne,0\na,0.0006\n,1\n", kAws);
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.count<model::Curve>(), 2U);
    ASSERT_EQ(reading.report.rejected.count, 5U);
    const auto& why = reading.report.rejected.first;
    EXPECT_EQ(why[0].reason, "the carbon intensity of b is blank");
    EXPECT_EQ(why[1].reason, "the carbon intensity of c is -1; allowed 0 to 100000 g/kWh");
    EXPECT_EQ(why[2].row, 5U) << "grams in a column of tonnes";
    EXPECT_EQ(why[3].reason, "region a is there twice; the first row is read");
    EXPECT_EQ(why[4].reason, "Region is blank");
    EXPECT_EQ(reading.report.warnings.first.at(0).reason, "the carbon intensity of e is 0: is it unknown?");
}

TEST(GridCarbon, NeedsAProviderAndAUnit) {
    const Options nobody{.date = "2021-07-01"};
    EXPECT_EQ(read_text("grid_carbon", "Region,CO2e (metric ton/kWh)\na,1\n", nobody).error->message,
              "row 1: no column names the provider; give the option provider");
    EXPECT_NE(
        read_text("grid_carbon", "Provider,Region,kg/kWh\nAzure,eastus,0.4\n", nobody).find<model::Curve>("carbon.azure.eastus"),
        nullptr);
    EXPECT_NE(read_text("grid_carbon", "Region,CO2e\na,1\n", kAws).error->message.find("with its unit"), std::string::npos);
    EXPECT_NE(read_text("grid_carbon", "Place,kg/kWh\na,1\n", kAws).error->message.find("Region"), std::string::npos);
    EXPECT_TRUE(read_text("grid_carbon", "Region,kg/kWh\na,\n", kAws).error) << "nothing usable";
    EXPECT_TRUE(read_text("grid_carbon", "", kAws).error);
}

TEST(GridCarbon, OfTheRealFilesAreThoseOfTheCatalogue) {
    SKIP_WITHOUT_SHARED();
    const Reading aws = read_shared("grid_carbon", {"cloud-carbon-coefficients/grid-emissions-factors-aws.csv"}, kAws);
    EXPECT_EQ(aws.count<model::Curve>(), 25U);
    EXPECT_NEAR(aws.find<model::Curve>("carbon.aws.us-west-2")->y[0], 350.861, 1e-9);
    const Reading gcp = read_shared("grid_carbon", {"cloud-carbon-coefficients/grid-emissions-factors-gcp.csv"},
                                    {.date = "2021-07-01", .provider = "gcp"});
    EXPECT_EQ(gcp.count<model::Curve>(), 24U);
    EXPECT_NEAR(gcp.find<model::Curve>("carbon.gcp.europe-west1")->y[0], 196.0, 1e-9);
    EXPECT_EQ(aws.report.rejected.count + gcp.report.rejected.count + aws.report.warnings.count, 0U);
}

} // namespace
} // namespace costcurve::imports
