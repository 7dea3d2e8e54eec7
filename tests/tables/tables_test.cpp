// Answers as CSV: cells, columns, negotiation, pages, and what has no table.
#include <string>

#include <gtest/gtest.h>

#include "model/version.hpp"
#include "server/answers/tables/question_rows.hpp"
#include "server/answers/tables/table.hpp"
#include "server/recalculation/recalculate.hpp"
#include "server/recalculation/recalculation.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"
#include "tests/tables/read_csv.hpp"

namespace costcurve::tests {
namespace {

std::string csv_of(const std::string& answer, const answers::TableRows& rows) {
    answers::Table table;
    table.add(answer, rows);
    return table.csv();
}

TEST(Table, WritesACellByItsType) {
    const struct {
        const char* value;
        const char* cell;
    } rows[] = {
        {"1.5", "1.5"},
        {"-3", "-3"},
        {"true", "true"},
        {"null", ""},
        {R"("text")", "text"},
        {R"("a, \"b\"")", R"("a, ""b""")"},
        {R"("two\nlines")", "\"two\nlines\""},
        {"\"=SUM(A1:A9)\"", "'=SUM(A1:A9)"},
        {R"("+1")", "'+1"},
        {R"("-1")", "'-1"},
        {R"("@cmd")", "'@cmd"},
        {R"("\tx")", "'\tx"},
        {"[1, -2.5, 3]", "1;-2.5;3"},
        {"[-1, 2]", "-1;2"},
        {R"(["a", "b"])", "a;b"},
        {R"(["=a", "b"])", "'=a;b"},
        {R"(["a;b", "c"])", R"("[""a;b"",""c""]")"},
        {"[]", ""},
        {"[[0, 1], [2, 3]]", R"("[[0,1],[2,3]]")"},
        {R"([{"x": 1}])", R"("[{""x"":1}]")"},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(csv_of(fmt::format(R"({{"items": [{{"x": {}, "y": 1}}]}})", row.value), {"", "/items"}),
                  fmt::format("x,y\r\n{},1\r\n", row.cell))
            << row.value;
    }
}

TEST(Table, HasAColumnForEachMemberWithinAMember) {
    const std::string answer = R"([{"id": "a", "price": {"usd": 1, "eur": {"net": 2}}}, {"id": "b", "price": 3, "note": "n"}])";
    EXPECT_EQ(csv_of(answer, {"", ""}), "id,price.usd,price.eur.net,price,note\r\na,1,2,,\r\nb,,,3,n\r\n");
    EXPECT_EQ(csv_of(answer, {"", "", "", "", "price note"}), "id\r\na\r\nb\r\n");
}

TEST(Table, HasNoColumnOfItsOwnForAnObjectThatSomeRowLacks) {
    const std::string answer = R"([{"id": "a", "wins_at": null}, {"id": "b", "wins_at": {"pointer": "/p", "value": 2}}])";
    EXPECT_EQ(csv_of(answer, {"", ""}), "id,wins_at.pointer,wins_at.value\r\na,,\r\nb,/p,2\r\n");
    EXPECT_EQ(csv_of(R"([{"id": "a", "wins_at": null}])", {"", ""}), "id,wins_at\r\na,\r\n");
}

TEST(Table, PutsWhatStandsAroundTheRowsBesideThem) {
    const std::string answer =
        R"({"all": [{"result": {"name": "one", "rows": [{"x": 1}]}}, {"result": {"name": "two", "rows": [{"x": 2}]}}]})";
    EXPECT_EQ(csv_of(answer, {"", "/all/*/result/rows", "name currency", "item"}),
              "item,name,currency,x\r\n0,one,,1\r\n1,two,,2\r\n");
}

TEST(Table, HasAHeaderWithoutRowsAndGuardsItsNames) {
    answers::Table table({"a", "=b"});
    table.add(R"({"items": [], "next": "7"})", {"", "/items"});
    EXPECT_EQ(table.csv(), "a,'=b\r\n");
    EXPECT_EQ(table.next(), "7");
    EXPECT_EQ(csv_of(R"({"items": []})", {"", "/items"}), "");
}

Headers accepting(const std::string& types) { return {{"accept", types}}; }

void store_devices(TestService& service, int count) {
    for (int i = 0; i < count; ++i) {
        const std::string target = fmt::format("/v1/devices/gpu-{}", i);
        ASSERT_EQ(
            service.ask("PUT", target, R"({"kind": "gpu", "tdp_w": 500, "note": "=1+1", "precisions": ["bf16", "fp8"]})").status,
            201);
    }
}

TEST(Csv, IsChosenByTheQueryElseByAccept) {
    TestService service;
    store_devices(service, 1);
    const struct {
        const char* query;
        const char* accept;
        bool is_csv;
    } rows[] = {
        {"", "", false},
        {"", "*/*", false},
        {"", "text/csv", true},
        {"", "TEXT/CSV; q=0.5", true},
        {"", "text/*", true},
        {"", "application/json, text/csv", false},
        {"", "application/json;q=0.5, text/csv", true},
        {"", "text/csv;q=0.5, */*;q=0.1", true},
        {"", "text/html, */*;q=0.8", false},
        {"?format=csv", "application/json", true},
        {"?format=csv", "text/html", true},
        {"?format=json", "text/csv", false},
    };
    for (const auto& row : rows) {
        const http::Response answer = service.ask("GET", std::string("/v1/devices") + row.query, "", accepting(row.accept));
        EXPECT_EQ(answer.status, 200) << row.query << " " << row.accept << answer.body;
        EXPECT_EQ(answer.content_type, row.is_csv ? "text/csv; charset=utf-8" : "application/json; charset=utf-8") << row.accept;
        EXPECT_EQ(header_of(answer, "Vary"), "Accept");
    }
}

TEST(Csv, OfAListHasItsFieldsAsColumnsAndTextsThatRunNoFormula) {
    TestService service;
    const std::vector<CsvRow> empty = read_csv(service.ask("GET", "/v1/devices?format=csv").body);
    ASSERT_EQ(empty.size(), 1U) << "a header";
    store_devices(service, 2);
    const http::Response answer = service.ask("GET", "/v1/devices?format=csv");
    const std::vector<CsvRow> rows = read_csv(answer.body);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(CsvRow(rows[0].begin(), rows[0].begin() + static_cast<std::ptrdiff_t>(empty[0].size())), empty[0]);
    EXPECT_EQ(rows[1][csv_column(rows[0], "id")], "gpu-0");
    EXPECT_EQ(rows[1][csv_column(rows[0], "tdp_w")], "500");
    EXPECT_EQ(rows[1][csv_column(rows[0], "note")], "'=1+1");
    EXPECT_EQ(rows[1][csv_column(rows[0], "precisions")], "bf16;fp8");
    EXPECT_EQ(rows[1][csv_column(rows[0], "vendor")], "");
}

TEST(Csv, OfAPageHasTheNextOnesAddressInALinkHeader) {
    TestService service;
    store_devices(service, 3);
    const http::Response first = service.ask("GET", "/v1/devices?format=csv&limit=2");
    const std::string next = json::parse(service.ask("GET", "/v1/devices?limit=2").body).at("next").get<std::string>();
    ASSERT_EQ(next, "@3~gpu-1");
    EXPECT_EQ(header_of(first, "Link"), "</v1/devices?format=csv&limit=2&after=%403~gpu-1>; rel=\"next\"");
    const http::Response last = service.ask("GET", "/v1/devices?format=csv&limit=2&after=" + next);
    EXPECT_EQ(header_of(last, "Link"), "");
    EXPECT_EQ(read_csv(first.body).size() + read_csv(last.body).size(), 5U);
    EXPECT_EQ(header_of(service.ask("GET", "/v1/devices?limit=2"), "Link"), "") << "JSON has `next`";
    const http::Response audit = service.ask("GET", "/v1/audit?limit=1&format=csv");
    EXPECT_NE(header_of(audit, "Link").find("&after="), std::string::npos);
}

TEST(Csv, OfAResultHasItsMonthsOrItsLedger) {
    TestService service;
    const std::string body = json{{"scenario", mixed()}}.dump();
    const std::vector<CsvRow> months = read_csv(service.ask("POST", "/v1/evaluate?format=csv", body).body);
    ASSERT_EQ(months.size(), 4U);
    const json result = json::parse(service.ask("POST", "/v1/evaluate", body).body);
    for (std::size_t m = 0; m < 3; ++m) {
        const auto cell = [&](const char* name) { return months[m + 1][csv_column(months[0], name)]; };
        EXPECT_EQ(cell("month"), fmt::format("2026-0{}", m + 1));
        EXPECT_EQ(cell("currency"), "EUR");
        EXPECT_EQ(cell("name"), "mixed, \"quoted\"");
        EXPECT_DOUBLE_EQ(std::stod(cell("cost")), result["by_month"][m]["cost"].get<double>());
        EXPECT_DOUBLE_EQ(std::stod(cell("by_pool.rack.cash")), result["by_month"][m]["by_pool"]["rack"]["cash"].get<double>());
    }
    const http::Response ledger = service.ask("POST", "/v1/evaluate?table=ledger", body, accepting("text/csv"));
    EXPECT_EQ(ledger.content_type, "text/csv; charset=utf-8");
    EXPECT_NO_THROW((void)csv_column(read_csv(ledger.body)[0], "InvoiceIssuerName"));
}

TEST(Csv, OfAComparisonNamesTheScenarioOfEachRow) {
    TestService service;
    json other = smallest();
    other["name"] = "other";
    const std::string body = json{{"scenarios", {smallest(), other}}}.dump();
    const std::vector<CsvRow> rows = read_csv(service.ask("POST", "/v1/compare?format=csv", body).body);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(CsvRow(rows[0].begin(), rows[0].begin() + 4), (CsvRow{"scenario", "name", "currency", "month"}));
    EXPECT_EQ(CsvRow(rows[2].begin(), rows[2].begin() + 4), (CsvRow{"1", "other", "USD", "2026-01"}));
    const std::vector<CsvRow> ledger = read_csv(service.ask("POST", "/v1/compare?format=csv&table=ledger", body).body);
    ASSERT_EQ(ledger.size(), 3U) << "one header, a row of each";
    EXPECT_EQ(ledger[2][csv_column(ledger[0], "x_Scenario")], "other");
}

// Answers whose numbers are lists side by side: each number of the JSON is in its row.
TEST(Csv, OfAMapHasARowForEachCellAndScenario) {
    TestService service;
    const json map = {{"scenarios", {smallest(), with(smallest(), "/name", "other")}},
                      {"x", {{"pointer", "/pools/0/offer/hourly_price"}, {"values", {1, 2, 3}}}},
                      {"y", {{"pointer", "/workloads/0/demand/mean_per_s"}, {"values", {1, 2}}}}};
    const json answer = json::parse(service.ask("POST", "/v1/map", map.dump()).body);
    const std::vector<CsvRow> rows = read_csv(service.ask("POST", "/v1/map?format=csv", map.dump()).body);
    ASSERT_EQ(rows.size(), 1U + 2 * 2 * 3);
    EXPECT_EQ(rows[0], (CsvRow{"output", "unit", "x", "y", "scenario", "name", "value", "feasible", "same_work", "cheapest"}));
    std::size_t row = 1;
    for (std::size_t s = 0; s < 2; ++s) {
        for (std::size_t y = 0; y < 2; ++y) {
            for (std::size_t x = 0; x < 3; ++x, ++row) {
                const auto cell = [&](const char* name) { return rows[row][csv_column(rows[0], name)]; };
                EXPECT_EQ(cell("output"), answer.at("output"));
                EXPECT_EQ(cell("x"), answer.at("x").at("values")[x].dump());
                EXPECT_EQ(cell("y"), answer.at("y").at("values")[y].dump());
                EXPECT_EQ(cell("scenario"), std::to_string(s));
                EXPECT_EQ(cell("name"), answer.at("scenarios")[s]);
                EXPECT_EQ(cell("value"), answer.at("values")[s][y][x].dump());
                EXPECT_EQ(cell("feasible"), answer.at("feasible")[s][y][x].dump());
                EXPECT_EQ(cell("same_work"), "true");
                EXPECT_EQ(cell("cheapest"), answer.at("cheapest")[y][x] == s ? "true" : "false");
            }
        }
    }
}

TEST(Csv, OfASimulationHasARowForEachScenarioAndOutput) {
    TestService service;
    const json question = {
        {"scenarios", {smallest(), with(smallest(), "/name", "other")}},
        {"inputs",
         {{{"pointer", "/pools/0/offer/hourly_price"}, {"distribution", {{"kind", "uniform"}, {"low", 1}, {"high", 3}}}}}},
        {"outputs", {"/total/cost", "/total/energy_kwh"}},
        {"samples", 50}};
    const http::Response made = service.ask("POST", "/v1/simulate", question.dump());
    ASSERT_EQ(made.status, 200) << made.body;
    const json answer = json::parse(made.body);
    const std::vector<CsvRow> rows = read_csv(service.ask("POST", "/v1/simulate?format=csv", question.dump()).body);
    ASSERT_EQ(rows.size(), 5U);
    for (std::size_t row = 1; row < rows.size(); ++row) {
        const json& scenario = answer.at("scenarios")[(row - 1) / 2];
        const char* const output = row % 2 == 1 ? "/total/cost" : "/total/energy_kwh";
        const json& figure = scenario.at("outputs").at(output);
        const auto cell = [&](const char* name) { return rows[row][csv_column(rows[0], name)]; };
        EXPECT_EQ(cell("scenario"), std::to_string((row - 1) / 2));
        EXPECT_EQ(cell("name"), scenario.at("name"));
        EXPECT_EQ(cell("output"), output);
        EXPECT_EQ(cell("probability_cheapest"), scenario.at("probability_cheapest").dump());
        for (const char* const member : {"mean", "p5", "p50", "p95"}) {
            EXPECT_EQ(cell(member), figure.is_null() ? "" : figure.at(member).dump()) << output;
        }
    }
}

TEST(Csv, OfABreakEvenHasARowForEachCrossingAndStretch) {
    TestService service;
    const json dear = with(smallest(), "/pools/0/offer/hourly_price", 3);
    const json question = {
        {"a", smallest()}, {"b", with(dear, "/name", "b")}, {"input", "/pools/0/offer/hourly_price"}, {"low", 1}, {"high", 9}};
    const std::vector<CsvRow> none = read_csv(service.ask("POST", "/v1/break-even?format=csv", question.dump()).body);
    EXPECT_EQ(none.size(), 1U) << "both move alike: no crossing";
    EXPECT_EQ(none[0], (CsvRow{"over", "unit", "kind", "figure", "from", "to", "cheaper_after", "jump", "because"}));
    const std::string answer = R"({"over": "/x", "unit": "USD", "cost": {"crossings": [1.5, 2], "cheaper_after": ["b", "a"],
        "jumps": [false, true]}, "cash": {"crossings": [3], "cheaper_after": ["b"], "jumps": [false]},
        "stretches": [{"from": 4, "to": 5.5, "because": "unserved"}]})";
    EXPECT_EQ(csv_of(answers::break_even_rows(answer), {"", "/rows"}),
              "over,unit,kind,figure,from,to,cheaper_after,jump,because\r\n"
              "/x,USD,crossing,cost,1.5,,b,false,\r\n"
              "/x,USD,crossing,cost,2,,a,true,\r\n"
              "/x,USD,crossing,cash,3,,b,false,\r\n"
              "/x,USD,stretch,,4,5.5,,,unserved\r\n");
}

// A result whose inputs another version of the model hashed otherwise: its months are kept, its ledger would be another's.
TEST(Csv, OfAKeptResultHasNoLedgerWhereItCannotBeComputedAgain) {
    TestService service;
    ASSERT_EQ(service.ask("PUT", "/v1/scenarios/s", smallest().dump()).status, 201);
    const auto keep = [&](const std::string& version, const recalculation::Recalculate& recalculate) {
        const auto run = std::get<std::int64_t>(service.store.begin_run({"test", ""}, {storage::Scope::all, {}, "", version}));
        recalculation::execute_run(service.store, run, {.model_version = version, .recalculate = recalculate});
        ASSERT_EQ(service.store.run(run)->evaluated, 1);
    };
    const char* const latest = "/v1/scenarios/s/results/latest?format=csv";
    keep(std::string(model::kModelVersion), recalculation::recalculate);
    EXPECT_EQ(service.ask("GET", std::string(latest) + "&table=ledger").status, 200);
    keep("0.0.1", [](const storage::RunItem& item, recalculation::Worker& worker) {
        storage::RunOutcome outcome = recalculation::recalculate(item, worker);
        outcome.result->model_version = "0.0.1";
        outcome.result->inputs_hash = std::string(64, '0');
        return outcome;
    });
    const http::Response refused = service.ask("GET", std::string(latest) + "&table=ledger");
    EXPECT_EQ(refused.status, 409);
    EXPECT_TRUE(refused.content_type.starts_with("application/problem+json"));
    EXPECT_NE(refused.body.find("version 0.0.1 of the model"), std::string::npos) << refused.body;
    EXPECT_EQ(read_csv(service.ask("GET", latest).body).size(), 2U) << "its months";
    EXPECT_EQ(service.ask("GET", "/v1/scenarios/s/results/1?format=csv&table=ledger").status, 200) << "the one before it";
}

TEST(Csv, IsAProblemWhereThereIsNoTableOrNoSuchOne) {
    TestService service;
    store_devices(service, 1);
    const std::string body = json{{"scenario", smallest()}}.dump();
    const struct {
        const char* method;
        const char* target;
        const char* accept;
        int status;
    } rows[] = {
        {"GET", "/v1/devices/gpu-0", "text/csv", 406},
        {"GET", "/v1/devices/gpu-0?format=csv", "", 406},
        {"GET", "/v1/fields?format=csv", "", 406},
        {"GET", "/v1/devices?format=xml", "", 422},
        {"GET", "/v1/devices", "image/png", 406},
        {"GET", "/v1/devices?format=csv&table=ledger", "", 422},
        {"POST", "/v1/evaluate?format=csv&table=years", "", 422},
        {"POST", "/v1/evaluate?table=ledger", "", 422},
        {"POST", "/v1/solve?format=csv", "", 406},
    };
    for (const auto& row : rows) {
        const http::Response answer =
            service.ask(row.method, row.target, row.method == std::string("POST") ? body : "", accepting(row.accept));
        EXPECT_EQ(answer.status, row.status) << row.target << answer.body;
        EXPECT_TRUE(answer.content_type.starts_with("application/problem+json"));
    }
    const http::Response broken = service.ask("POST", "/v1/evaluate?format=csv", R"({"scenario": {}})");
    EXPECT_EQ(broken.status, 422);
    EXPECT_TRUE(broken.content_type.starts_with("application/problem+json")) << "a problem stays a problem";
}

} // namespace
} // namespace costcurve::tests
