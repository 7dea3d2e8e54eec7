// Tables of one's own, by a mapping of their columns: offers, endpoints and servers as people keep them in spreadsheets.
#include <functional>
#include <set>
#include <string>

#include "server/import/columns/mapping.hpp"
#include "server/import/columns/units.hpp"
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kDated{.date = "2026-11-01"};
const std::string kMapping = R"(# What Acme rents out
kind: offer
constants: {provider: Acme Cloud, currency: EUR}
columns:
  sku: Instance
  region: Site
  device: Card
  devices: Cards
  hourly_price: {column: "Price, EUR per card and hour", unit: currency/device-hour}
  purchase: Terms
  boot_s: {column: Start, unit: min}
dates: Since
id: [provider, sku, region, purchase]
skip: {Card: ["", none]}
)";
const std::string kHead = "Instance;Site;Card;Cards;Price, EUR per card and hour;Terms;Start;Since;Colour\n";

Reading read_both(const std::string& mapping, const std::string& table, const Options& options = kDated) {
    return read_set("columns", {{"acme.yaml", mapping}, {"acme_2026-11-01.csv", table}}, options);
}

TEST(Columns, FillTheFieldsThatAMappingNames) {
    const Reading reading = read_both(kMapping, kHead + "g8;fra;H100 SXM5;8;2,5;on_demand;4;2026-10-01;red\n"
                                                        "g8;fra;H100 SXM5;8;2,25;on_demand;4;2026-11-15;red\n"
                                                        "c1;fra;none;0;0,1;on_demand;;2026-10-01;\n");
    ASSERT_FALSE(reading.error) << reading.error->message;
    ASSERT_EQ(reading.documents.size(), 1U);
    const auto* const offer = reading.find<model::Offer>("acme-cloud.g8.fra.on_demand");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->device.id, "nvidia.h100-sxm5-80gb");
    EXPECT_EQ(offer->devices, 8);
    EXPECT_EQ(offer->currency, "EUR");
    EXPECT_EQ(offer->boot_s, 240.0);
    EXPECT_EQ(offer->source, "acme.csv");
    ASSERT_TRUE(offer->hourly_price.curve);
    EXPECT_EQ(offer->hourly_price.curve->x, (std::vector<double>{20727.0, 20772.0})); // 56 x 365 + 14 + 273, and 45 days later
    EXPECT_EQ(offer->hourly_price.curve->y, (std::vector<double>{20.0, 18.0}));       // 8 cards
    EXPECT_EQ(reading.report.skipped, 1U);
    EXPECT_TRUE(says(reading.report.warnings, 0, "how often they have a value: Colour (2)"));
}

// A list of 100,000 was searched from its beginning for each row.
TEST(Columns, SkipTextsThatAreKeptOnceAndInOrder) {
    Mapping mapping;
    ASSERT_FALSE(
        read_mapping("kind: offer\ncolumns: {sku: Instance}\nid: [sku]\nskip: {Card: [none, \"\", none, cpu]}\n", mapping));
    ASSERT_EQ(mapping.skip.size(), 1U);
    EXPECT_EQ(mapping.skip.front().texts, (std::set<std::string, std::less<>>{"", "cpu", "none"}));
}

TEST(Columns, FillPricesByClassAndOptionsThatNothingElseFills) {
    const Reading reading = read_both("kind: endpoint\n"
                                      "columns:\n"
                                      "  model: Model\n"
                                      "  price_per_million_units.input: {column: In, unit: currency/thousand tokens}\n"
                                      "  price_per_million_units.output: {column: Out, unit: currency/thousand tokens}\n"
                                      "id: [provider, model]\nconstants: {provider: Own host}\n",
                                      "Model,In,Out\nmeta-llama/Llama-3.3-70B-Instruct,0.0005,0.0008\n",
                                      {.date = "2026-11-01", .region = "eu", .currency = "CHF"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const endpoint = reading.find<model::Endpoint>("own-host.llama-3.3-70b");
    ASSERT_NE(endpoint, nullptr);
    EXPECT_EQ(endpoint->currency, "CHF");
    EXPECT_EQ(endpoint->region, "eu");
    ASSERT_TRUE(endpoint->price_per_million_units && endpoint->price_per_million_units->split);
    EXPECT_DOUBLE_EQ(endpoint->price_per_million_units->input->curve->y.front(), 0.5);
    EXPECT_DOUBLE_EQ(endpoint->price_per_million_units->output->curve->y.front(), 0.8);
}

TEST(Columns, TakeDefaultsTextsAndIdsOfSeveralFields) {
    const std::string mapping = "kind: offer\nconstants: {devices: 1, purchase: on_demand}\n"
                                "defaults: {currency: USD, region: earth}\n"
                                "columns: {device: Card, hourly_price: Price, zone: Zone, sku: {column: Card, text: \"1x {}\"}}\n"
                                "entry: Card\nid: [provider, sku, [zone, region], {text: on-demand}]\n";
    const std::string table = "Card,Zone,Price\nH100 SXM5,,2\nH100 SXM5,z1,3\n";
    const Reading reading = read_both(mapping, table, {.date = "2026-11-01", .provider = "acme", .currency = "EUR"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const offer = reading.find<model::Offer>("acme.1x-h100-sxm5.earth.on-demand");
    ASSERT_NE(offer, nullptr);
    EXPECT_EQ(offer->currency, "EUR") << "the option's";
    EXPECT_EQ(offer->region, "earth") << "the default";
    EXPECT_EQ(offer->source, "acme.csv H100 SXM5");
    EXPECT_NE(reading.find<model::Offer>("acme.1x-h100-sxm5.z1.on-demand"), nullptr);
    EXPECT_NE(read_both(mapping, table).error->message.find("id has \"provider\""), std::string::npos);
}

TEST(Columns, FillServersOfOnesOwnWithTheirParts) {
    const Reading reading = read_both("kind: server\nconstants: {currency: USD, host_idle_w: 300, life_months: 60}\n"
                                      "columns: {device: GPU, devices: n, price: Cost, host_max_w: {column: Host, unit: kW}, "
                                      "price_date: Quoted}\nid: [device, devices]\n",
                                      "GPU,n,Cost,Host,Quoted\nH100 SXM5,8,250000,1.2,14-Feb-2026\n", {});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rejected.count, 0U) << reading.report.rejected.first.front().reason;
    const auto* const server = reading.find<model::Server>("h100-sxm5.8");
    ASSERT_NE(server, nullptr);
    EXPECT_EQ(server->price, 250000.0);
    EXPECT_EQ(server->host_max_w, 1200.0);
    EXPECT_EQ(server->price_date.text, "2026-02-14");
}

struct RowCase {
    std::string row;
    std::string_view reason;
};
TEST(Columns, RejectRowsByTheCellThatIsWrong) {
    const RowCase cases[] = {
        {"g8;fra;Voodoo2;8;2,5;on_demand;4;2026-10-01;", "Card is \"Voodoo2\", which no alias knows"},
        {"g8;fra;H100 SXM5;some;2,5;on_demand;4;2026-10-01;", "Cards is \"some\"; a whole number is needed"},
        {"g8;fra;H100 SXM5;8,5;2,5;on_demand;4;2026-10-01;", "a whole number is needed"},
        {"g8;fra;H100 SXM5;8;free;on_demand;4;2026-10-01;", "a number is needed"},
        {"g8;fra;H100 SXM5;8;0;on_demand;4;2026-10-01;", "a price above 0 is needed"},
        {"g8;fra;H100 SXM5;8;;on_demand;4;2026-10-01;", "is blank; hourly_price is needed"},
        {"g8;fra;H100 SXM5;8;2,5;rented;4;2026-10-01;", "one of on_demand, spot, reserved"},
        {"g8;fra;H100 SXM5;8;2,5;on_demand;4;soon;", "Since is \"soon\"; a day is needed"},
        {"g8;fra;H100 SXM5;99999999;2,5;on_demand;4;2026-10-01;", "devices is 99999999"},
    };
    for (const auto& [row, reason] : cases) {
        const Reading reading = read_both(kMapping, kHead + row + "\n");
        EXPECT_TRUE(reading.documents.empty()) << row;
        EXPECT_TRUE(says(reading.report.rejected, 2, reason)) << row;
    }
}

TEST(Columns, RejectRowsOfMoreCellsThanTheHeaderNames) {
    const std::string mapping =
        "kind: offer\nconstants: {provider: Acme, currency: EUR, purchase: on_demand}\n"
        "columns: {sku: Instance, device: Card, devices: Cards, hourly_price: Price}\nid: [provider, sku]\n";
    const Reading reading =
        read_both(mapping, "Instance,Card,Cards,Price\na1,MI300X,1,1,99\na2,MI300X,1,2.99,\na3,MI300X,1,1.99\n");
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_TRUE(says(reading.report.rejected, 2, "it has 5 cells, and the header 4: put a text or number with a comma in quotes"));
    EXPECT_EQ(reading.documents.size(), 2U) << "an empty cell more is none";
}

TEST(Columns, AreOneDocumentWhereRowsDifferInPricesAlone) {
    const std::string good = "g8;fra;H100 SXM5;8;2,5;on_demand;4;2026-10-01;\n";
    const Reading again = read_both(kMapping, kHead + good + good);
    EXPECT_EQ(again.documents.size(), 1U);
    EXPECT_EQ(again.report.skipped, 1U);
    const Reading other_price = read_both(kMapping, kHead + good + "g8;fra;H100 SXM5;8;3;on_demand;4;2026-10-01;\n");
    EXPECT_TRUE(says(other_price.report.rejected, 3, "is there already, with another price of the same day"));
    const Reading other_card = read_both(kMapping, kHead + good + "g8;fra;H100 SXM5;4;3;on_demand;4;2026-11-01;\n");
    EXPECT_TRUE(says(other_card.report.rejected, 3, "is there already, with other figures; make the id of more columns"));
}

TEST(Columns, RefuseAMappingByTheLineThatIsWrong) {
    const std::pair<std::string, std::string_view> cases[] = {
        {"kind: invoice\nid: [a]\nconstants: {a: 1}\n", "kind is \"invoice\"; one of device, offer"},
        {"kind: offer\ncolumns: {prize: P}\nid: [prize]\n", "a offer has no field prize; it has id, source"},
        {"kind: offer\ncolumns: {sku: S, price: P}\nid: [sku]\nrows: 3\n", "there is no rows; a mapping has kind"},
        {"kind: offer\ncolumns: {sku: S}\nconstants: {sku: x}\nid: [sku]\n", "sku is filled twice"},
        {"kind: offer\ncolumns: {sku: S}\nid: [region]\n", "id has \"region\""},
        {"kind: offer\ncolumns: {sku: S}\n", "an id is needed"},
        {"kind: offer\ncolumns: {sku: {column: S, units: x}}\nid: [sku]\n", "takes a column's name"},
        {"kind: offer\ncolumns: {sku: {column: S, text: x}}\nid: [sku]\n", "write {} where the cell's text goes"},
        {"kind: offer\ncolumns: {sku: S}\nid: [sku, {}]\n", "a part of the id is a field, a list of fields"},
        {"kind: offer\ncolumns: {boot_s: {column: S, unit: fortnights}}\nid: [boot_s]\n",
         "boot_s is of s; a column may be in s, ms"},
        {"kind: device\ncolumns: {frameworks: F}\nid: [frameworks]\n", "frameworks can't be filled from a table"},
        {"kind: offer\ncolumns: [sku]\nid: [sku]\n", "names with what fills them are needed"},
        {"a: &x 1\nb: *x\n", "it has an anchor; write it out"},
        {"kind: offer\ncolumns: {sku: Instance, device: Card, hourly_price: Cost}\nconstants: {provider: a, devices: 1, purchase: "
         "spot, "
         "currency: EUR}\nid: [sku]\n",
         "no column named Cost"},
        {"kind: offer\ncolumns: {sku: Instance}\nid: [sku]\n", "a offer needs "},
    };
    for (const auto& [mapping, message] : cases) {
        const Reading reading = read_both(mapping, kHead + "g8;fra;H100 SXM5;8;2,5;on_demand;4;2026-10-01;\n");
        ASSERT_TRUE(reading.error) << mapping;
        EXPECT_NE(reading.error->message.find(message), std::string::npos) << reading.error->message;
    }
}

TEST(Columns, NeedAMappingATableAndADay) {
    EXPECT_TRUE(read_set("columns", {{"a.csv", "x\n1\n"}}, kDated).error);
    EXPECT_TRUE(read_set("columns", {{"a.yaml", kMapping}}, kDated).error);
    EXPECT_TRUE(read_set("columns", {{"a.yaml", kMapping}, {"b.yaml", kMapping}, {"c.csv", kHead}}, kDated).error);
    const Reading undated = read_both("kind: offer\ncolumns: {hourly_price: P}\nconstants: {provider: a, sku: b, device: H100, "
                                      "devices: 1, purchase: spot, currency: EUR}\nid: [sku]\n",
                                      "P\n1\n", {});
    ASSERT_TRUE(undated.error);
    EXPECT_EQ(undated.error->code, model::Code::missing);
}

TEST(Columns, OfARealListAreWhatItsOwnReaderMakes) {
    SKIP_WITHOUT_SHARED();
    const Reading own = read_shared("api_prices", {"llm-d-planner/model_pricing.csv"}, {.date = "2025-12-01"});
    const Reading list = read_mapped("model_pricing.yaml", "llm-d-planner/model_pricing.csv", {.date = "2025-12-01"});
    ASSERT_FALSE(list.error) << list.error->message;
    ASSERT_EQ(list.documents.size(), own.documents.size());
    for (const Document& document : own.documents) {
        const auto& by_reader = std::get<model::Endpoint>(document);
        const auto* const by_mapping = list.find<model::Endpoint>(by_reader.id);
        ASSERT_NE(by_mapping, nullptr) << by_reader.id;
        EXPECT_EQ(by_mapping->price_per_million_units, by_reader.price_per_million_units) << by_reader.id;
        EXPECT_EQ(by_mapping->model, by_reader.model);
    }
}

TEST(Columns, HaveFactorsThatUndoEachOther) {
    EXPECT_DOUBLE_EQ(unit_factor("kW", "W")->factor * unit_factor("W", "kW")->factor, 1.0);
    EXPECT_DOUBLE_EQ(unit_factor("currency/token", "currency/million units")->factor, 1e6);
    EXPECT_DOUBLE_EQ(unit_factor("currency/month", "currency/instance-hour")->factor * 8760.0, 12.0);
    EXPECT_TRUE(unit_factor("currency/device-hour", "currency/instance-hour")->by_devices);
    EXPECT_FALSE(unit_factor("kW", "s"));
}

} // namespace
} // namespace costcurve::imports
