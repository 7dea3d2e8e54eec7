// Results of SPECpower_ssj2008: operations and watts of servers at full load and idle become power curves of hosts.
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/curves.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/read_rows.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

struct SpecPowerLayout {
    Column vendor, system, date, nodes, cpu, chips, memory, ops, full, idle;
};

// What a row says, or what is wrong with it.
struct Result {
    double nodes = 0.0;
    double full_w = 0.0; ///< of all nodes
    double idle_w = 0.0;
    std::string wrong;
};

Result result_of(const Table& table, const SpecPowerLayout& layout) {
    Result result;
    const auto above_zero = [&](Column column, std::string_view name) {
        const Number number = table.number(column);
        if ((!number || number.value <= 0.0) && result.wrong.empty()) {
            result.wrong = number.state == Number::State::blank
                               ? fmt::format("{} is blank", name)
                               : fmt::format("{} is {}; allowed above 0", name, table.text(column));
        }
        return number.value;
    };
    result.nodes = layout.nodes ? above_zero(layout.nodes, "Nodes") : 1.0;
    result.full_w = above_zero(layout.full, "avg. watts @ 100%");
    result.idle_w = above_zero(layout.idle, "avg. watts @ active idle");
    if (result.wrong.empty() && result.nodes != std::floor(result.nodes)) {
        result.wrong = fmt::format("Nodes is {}; a whole number is needed", result.nodes);
    }
    if (result.wrong.empty() && result.idle_w > result.full_w) {
        result.wrong = fmt::format("it draws {} W idle and {} W at full load", result.idle_w, result.full_w);
    }
    if (table.text(layout.vendor).empty() || table.text(layout.system).empty()) {
        result.wrong = "vendor or system is blank";
    }
    return result;
}

std::string note_of(const Table& table, const SpecPowerLayout& layout, const Result& result, Report& report) {
    std::string note = fmt::format("Watts of one node{}, straight line between idle and full load of SPECpower_ssj2008.",
                                   result.nodes > 1.0 ? fmt::format(" of {}", result.nodes) : "");
    if (const Number ops = table.number(layout.ops)) {
        note += fmt::format(" {:.0f} ssj_ops at full load a node.", ops.value / result.nodes);
    }
    const std::string_view date = table.text(layout.date);
    if (const std::optional<Moment> moment = parse_moment(date)) {
        note += fmt::format(" Submitted {}.", model::date_text(day_of(*moment)));
    } else if (!date.empty()) {
        report.warnings.add(table.row(), fmt::format("Date Submitted is \"{}\", no date; it is left out", date));
    }
    return note;
}

std::string id_of(const Table& table, const SpecPowerLayout& layout, const Result& result) {
    const auto counted = [&](Column column, std::string_view unit) {
        return table.text(column).empty() ? std::string() : fmt::format("{}{}", table.text(column), unit);
    };
    const std::string made_of = fmt::format("{}-{}-{}-{:.0f}n", table.text(layout.cpu), counted(layout.chips, "x"),
                                            counted(layout.memory, "gb"), result.nodes);
    return make_id({"power.spec", table.text(layout.vendor), table.text(layout.system), made_of});
}

} // namespace

HardError read_specpower(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    const SpecPowerLayout layout{table.column_that_begins("Hardware Vendor"),
                                 table.column_that_begins("System"),
                                 table.column("Date Submitted"),
                                 table.column("Nodes"),
                                 table.column_that_begins("CPU Description"),
                                 table.column("Chips"),
                                 table.column_that_begins("Total Memory"),
                                 table.column_that_begins("ssj_ops @ 100%"),
                                 table.column_that_begins("avg. watts @ 100%"),
                                 table.column_that_begins("avg. watts @ active idle")};
    if (table.error()) {
        return table.error();
    }
    if (!layout.vendor || !layout.system || !layout.full || !layout.idle) {
        return hard_error(Code::missing, 1,
                          "columns Hardware Vendor, System Enclosure, avg. watts @ 100% and avg. watts @ active idle are needed");
    }
    struct Seen {
        std::size_t row;
        Result result;
        std::string ops;
    };
    std::map<std::string, Seen> rows; // by id
    const HardError error = each_row(table, report, [&]() -> std::string {
        const Result result = result_of(table, layout);
        if (!result.wrong.empty()) {
            return result.wrong;
        }
        const std::string id = id_of(table, layout, result);
        const auto [at, is_new] = rows.try_emplace(id, Seen{table.row(), result, std::string(table.text(layout.ops))});
        const Seen& first = at->second;
        if (is_new) {
            model::Curve curve =
                empty_curve(model::CurveKind::power, model::Axis::throughput_share, id,
                            source_of(options, fmt::format("row {}, {}", table.text(layout.system), table.text(layout.cpu))),
                            note_of(table, layout, result, report));
            append_point(curve, 0.0, result.idle_w / result.nodes);
            append_point(curve, 1.0, result.full_w / result.nodes);
            report.add(std::move(curve));
        } else if (first.result.full_w == result.full_w && first.result.idle_w == result.idle_w &&
                   first.ops == table.text(layout.ops)) {
            ++report.skipped;
        } else {
            return fmt::format("another result of the system of row {}, with the same CPUs, memory and nodes; that row is read",
                               first.row);
        }
        return "";
    });
    return !error && rows.empty() ? hard_error(Code::missing, 0, "no row has watts at full load and idle") : error;
}

} // namespace costcurve::imports
