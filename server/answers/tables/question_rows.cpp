// Members of the answers are read by the names that their field tables give them.
#include "server/answers/tables/question_rows.hpp"

#include <vector>

#include <nlohmann/json.hpp>

namespace costcurve::answers {

namespace {

using Answer = nlohmann::ordered_json;

struct QuestionRows {
    JsonWriter out;

    QuestionRows() { out.begin_object().key("rows").begin_array(); }
    template <class Row> void add(const Row& row) { write_value(out, row); }
    [[nodiscard]] std::string take() { return out.end_array().end_object().take(); }
};

std::optional<double> number_or_null(const Answer& value) {
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

// What a figure's members are where no sample has it.
std::string no_figure() {
    JsonWriter out;
    out.begin_object();
    model::for_each_field<SimulatedFigure>([&](const auto& field) { out.key(field.name).null(); });
    return out.end_object().take();
}

void add_crossings(QuestionRows& rows, BreakEvenRow row, const Answer& found) {
    row.kind = BreakEvenRowKind::crossing;
    for (std::size_t i = 0; i < found.at("crossings").size(); ++i) {
        row.from = found.at("crossings")[i].get<double>();
        row.cheaper_after = found.at("cheaper_after")[i].get<std::string>();
        row.jump = found.at("jumps")[i].get<bool>();
        rows.add(row);
    }
}

} // namespace

std::string map_rows(std::string_view answer) {
    const Answer map = Answer::parse(answer);
    QuestionRows rows;
    MapRow row;
    row.output = map.at("output").get<std::string>();
    row.unit = map.at("unit").get<std::string>();
    const auto xs = map.at("x").at("values").get<std::vector<double>>();
    const auto ys = map.at("y").at("values").get<std::vector<double>>();
    for (row.scenario = 0; row.scenario < map.at("scenarios").size(); ++row.scenario) {
        row.name = map.at("scenarios")[row.scenario].get<std::string>();
        for (std::size_t y = 0; y < ys.size(); ++y) {
            const Answer& values = map.at("values")[row.scenario][y];
            const Answer& feasible = map.at("feasible")[row.scenario][y];
            const Answer& same_work = map.at("same_work")[y];
            const Answer& least = map.at("cheapest")[y];
            for (std::size_t x = 0; x < xs.size(); ++x) {
                row.x = xs[x];
                row.y = ys[y];
                row.value = number_or_null(values[x]);
                row.feasible = feasible[x].get<bool>();
                row.same_work = same_work[x].get<bool>();
                row.is_cheapest = least[x] == row.scenario;
                rows.add(row);
            }
        }
    }
    return rows.take();
}

std::string simulation_rows(std::string_view answer) {
    const Answer simulation = Answer::parse(answer);
    QuestionRows rows;
    SimulationRow row;
    for (const Answer& scenario : simulation.at("scenarios")) {
        row.name = scenario.at("name").get<std::string>();
        row.probability_feasible = number_or_null(scenario.at("probability_feasible"));
        row.probability_cheapest = number_or_null(scenario.at("probability_cheapest"));
        for (const auto& [output, figure] : scenario.at("outputs").items()) {
            row.output = output;
            row.figure = figure.is_null() ? no_figure() : figure.dump();
            rows.add(row);
        }
        ++row.scenario;
    }
    return rows.take();
}

std::string break_even_rows(std::string_view answer) {
    const Answer found = Answer::parse(answer);
    QuestionRows rows;
    BreakEvenRow row;
    row.over = found.at("over").get<std::string>();
    row.unit = found.at("unit").get<std::string>();
    for (const char* const figure : {"cost", "cash"}) {
        row.figure = figure;
        add_crossings(rows, row, found.at(figure));
    }
    row.figure.clear();
    row.kind = BreakEvenRowKind::stretch;
    for (const Answer& stretch : found.at("stretches")) {
        row.from = stretch.at("from").get<double>();
        row.to = stretch.at("to").get<double>();
        row.because = stretch.at("because").get<std::string>();
        rows.add(row);
    }
    return rows.take();
}

std::string bill_rows(std::string_view answer) {
    const Answer root = Answer::parse(answer);
    QuestionRows rows;
    BillRow row;
    const auto add = [&](const Answer& result) {
        row.currency = result.at("currency").get<std::string>();
        for (const auto& [site, figures] : result.at("by_site").items()) {
            row.site = site;
            const Answer& bills = figures.at("bill_by_month");
            for (std::size_t m = 0; m < bills.size(); ++m) {
                row.month = result.at("by_month").at(m).at("month").get<std::string>();
                row.bill = bills[m].get<double>();
                rows.add(row);
            }
        }
        ++row.scenario;
    };
    if (!root.contains("scenarios")) {
        add(root);
        return rows.take();
    }
    for (const Answer& scenario : root.at("scenarios")) {
        add(scenario.at("result"));
    }
    return rows.take();
}

} // namespace costcurve::answers
