// Members in the order of the API's description.
#include "server/api/encode_questions.hpp"

#include "server/api/json_text.hpp"

namespace costcurve::api {

namespace {

void write_crossings(JsonWriter& out, std::string_view name, const model::Crossings& crossings) {
    out.key(name).begin_object().key("crossings").begin_array();
    for (const model::Crossing& crossing : crossings.crossings) {
        out.value(crossing.at);
    }
    out.end_array().key("cheaper_after").begin_array();
    for (const model::Crossing& crossing : crossings.crossings) {
        out.value(crossing.a_is_cheaper ? "a" : "b");
    }
    out.end_array().key("jumps").begin_array();
    for (const model::Crossing& crossing : crossings.crossings) {
        out.value(crossing.is_jump);
    }
    out.end_array().member("relation", name_of(crossings.relation)).key("difference").begin_array();
    for (const double amount : crossings.difference) {
        out.value(amount);
    }
    out.end_array().end_object();
}

void write_end(JsonWriter& out, std::string_view name, const model::SwingEnd& end) {
    out.key(name).begin_object().member("input", end.input).member("output", end.output).end_object();
}

} // namespace

std::string with_currency(std::string_view unit, std::string_view currency) {
    constexpr std::string_view kWord = "currency";
    std::string text(unit);
    if (text.starts_with(kWord)) {
        text.replace(0, kWord.size(), currency);
    }
    return text;
}

void write_first_failure(JsonWriter& out, const std::optional<model::Issue>& issue) {
    out.key("first_failure");
    if (!issue) {
        out.null();
        return;
    }
    out.begin_object().member("pointer", issue->pointer).member("code", model::code_name(issue->code));
    out.member("message", issue->message).end_object();
}

std::string encode_break_even(const model::BreakEven& answer, std::string_view over, std::string_view unit,
                              std::string_view currency) {
    JsonWriter out;
    out.begin_object().member("over", over).member("unit", unit).member("currency", currency);
    out.member("relation", name_of(answer.cost.relation));
    write_crossings(out, "cost", answer.cost);
    write_crossings(out, "cash", answer.cash);
    return out.end_object().take();
}

std::string encode_solved(const model::Solved& solved, const model::SolveQuestion& question) {
    const model::Solution& first = solved.solutions.front();
    JsonWriter out;
    out.begin_object().member("input", question.input).member("value", first.value).member("unit", solved.unit);
    out.member("output", first.output).member("output_unit", solved.output_unit).member("exact", first.is_exact);
    out.key("solutions").begin_array();
    for (const model::Solution& solution : solved.solutions) {
        out.begin_object().member("value", solution.value).member("output", solution.output);
        out.member("exact", solution.is_exact).end_object();
    }
    return out.end_array().member("iterations", solved.iterations).end_object().take();
}

std::string encode_sensitivity(const model::Sensitivity& answer, std::string_view output) {
    JsonWriter out;
    const auto number = [](std::size_t scenario) { return static_cast<int>(scenario); };
    out.begin_object().member("output", output).member("unit", answer.output_unit).member("base", answer.base);
    out.key("cheapest");
    if (answer.cheapest) {
        out.value(number(*answer.cheapest));
    } else {
        out.null();
    }
    out.key("inputs").begin_array();
    for (const model::Swing& swing : answer.swings) {
        out.begin_object().member("pointer", swing.pointer).member("unit", swing.unit).member("base", swing.base);
        write_end(out, "low", swing.low);
        write_end(out, "high", swing.high);
        out.member("elasticity", swing.elasticity).key("flips_at");
        if (swing.flips_at) {
            out.begin_object().member("value", swing.flips_at->value);
            out.member("cheapest", number(swing.flips_at->cheapest)).end_object();
        } else {
            out.null();
        }
        out.end_object();
    }
    return out.end_array().end_object().take();
}

} // namespace costcurve::api
