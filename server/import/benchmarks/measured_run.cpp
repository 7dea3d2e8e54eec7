// Reads the output of `costcurve measure` as documents: the user's own measurement by concurrency, and the card's power curve by
// share of its largest rate. A truncated file, or a run with failed requests, is refused.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/benchmarks/measured_run.hpp"
#include "server/import/curves.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/identity/model_name.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"

namespace costcurve::imports {

namespace {

constexpr double kMaxFailedShare = 0.01; // of a phase's requests
constexpr double kMinShareRange = 0.5;   // of the largest rate: minimum span of a power curve

// A column of the measurement, which must be stated by all rows or by none.
struct RunColumn {
    std::string_view name;
    std::vector<double> model::MeasuredPoints::*column;
    bool is_required;
    bool may_be_zero;
};
constexpr auto kRunColumns = std::to_array<RunColumn>({
    {"input", &model::MeasuredPoints::input, true, false},
    {"cached_input", &model::MeasuredPoints::cached_input, false, true},
    {"output", &model::MeasuredPoints::output, true, false},
    {"concurrency", &model::MeasuredPoints::concurrency, true, false},
    {"output_per_s", &model::MeasuredPoints::output_per_s, true, false},
    {"ttft_s", &model::MeasuredPoints::ttft_s, true, false},
    {"itl_s", &model::MeasuredPoints::itl_s, false, false},
    {"e2e_s", &model::MeasuredPoints::e2e_s, true, false},
    {"watts", &model::MeasuredPoints::watts, false, false},
});

// Known fields that are not imported; they are for people who read the file.
constexpr auto kBesideFigures =
    std::to_array<std::string_view>({"itl_p95_s", "ttft_p95_s", "joules", "load", "seconds", "driver", "power_limit_w",
                                     "highest_output_per_s", "seed", "card", "notes", "name", "requests_per_s"});

bool states_column(const Json& row, const RunColumn& column) {
    const Number number = number_of(row, column.name);
    return number && std::isfinite(number.value) && (column.may_be_zero ? number.value >= 0.0 : number.value > 0.0);
}

// Why the row is no valid measurement, or "".
std::string fault_of_row(const Json& row) {
    const Number requests = number_of(row, "requests");
    const Number failed = number_of(row, "failed");
    if (!requests || !failed || requests.value < 1.0 || failed.value < 0.0) {
        return "requests and failed are needed";
    }
    if (failed.value > kMaxFailedShare * requests.value) {
        return fmt::format(
            "{:g} of {:g} requests failed; more than 1 % are no measurement: measure again at a load that the server "
            "serves",
            failed.value, requests.value);
    }
    for (const RunColumn& column : kRunColumns) {
        if (column.is_required && !states_column(row, column)) {
            return fmt::format("{} is needed, above 0", column.name);
        }
    }
    return "";
}

struct ServedRun {
    model::Measurement measurement;
    double largest_rate = 0.0;                // over the main mix
    std::optional<double> loaded_idle_w;      // sum over all devices
    std::vector<std::array<double, 2>> power; // {output tokens/s, W} of the main mix
};

// Reads the phases. Closed-loop rows become points of the measurement. Rows of the main mix, closed and open loop, give the power
// curve.
HardError read_phases(const Json& root, ServedRun& run, Report& report) {
    const auto phases = list_of(root, "phases");
    if (!phases || phases->size() == 0) {
        return hard_error(model::Code::missing, 0, "the file has no phases: nothing was measured");
    }
    std::vector<Json> points;
    for (const Json& row : *phases) {
        ++report.rows;
        if (const std::string fault = fault_of_row(row); !fault.empty()) {
            return hard_error(model::Code::bad_format, report.rows, fault);
        }
        const bool is_main = text_of(row, "mix") != "second";
        const double rate = number_of(row, "output_per_s").value;
        if (text_of(row, "loop") == "closed") {
            points.push_back(row);
            run.largest_rate = is_main ? std::max(run.largest_rate, rate) : run.largest_rate;
        }
        if (const Number watts = number_of(row, "watts"); is_main && watts && watts.value > 0.0) {
            run.power.push_back({rate, watts.value});
        }
    }
    if (points.empty() || run.largest_rate <= 0.0) {
        return hard_error(model::Code::missing, 0, "the file has no phase of the closed loop: measure with a longer --budget");
    }
    for (const RunColumn& column : kRunColumns) {
        if (std::ranges::all_of(points, [&](const Json& row) { return states_column(row, column); })) {
            for (const Json& row : points) {
                (run.measurement.points.*column.column).push_back(number_of(row, column.name).value);
            }
        }
    }
    if (const Number idle = number_of(root, "loaded_idle_w"); idle && idle.value > 0.0) {
        run.loaded_idle_w = idle.value;
    }
    return std::nullopt;
}

// Power of a device (W) over its share of the largest rate, starting with its power at no load. A power curve must not fall:
// adjacent violators are pooled to their mean (Barlow et al., Statistical Inference under Order Restrictions, 1972).
std::optional<model::Curve> power_curve(const ServedRun& run) {
    struct Block {
        double share, watts, count;
    };
    std::vector<std::array<double, 2>> points = run.power;
    std::ranges::sort(points);
    if (!run.loaded_idle_w || points.size() < 3 || points.back()[0] - points.front()[0] < kMinShareRange * run.largest_rate) {
        return std::nullopt;
    }
    std::vector<Block> blocks = {{0.0, *run.loaded_idle_w, 1.0}};
    for (const auto& [rate, watts] : points) {
        Block block{std::min(1.0, rate / run.largest_rate), watts, 1.0};
        while (!blocks.empty() && (blocks.back().watts > block.watts || blocks.back().share == block.share)) {
            const double count = blocks.back().count + block.count;
            block = {(blocks.back().share * blocks.back().count + block.share * block.count) / count,
                     (blocks.back().watts * blocks.back().count + block.watts * block.count) / count, count};
            blocks.pop_back();
        }
        blocks.push_back(block);
    }
    const model::Measurement& of = run.measurement;
    model::Curve curve = empty_curve(model::CurveKind::power, model::Axis::throughput_share, of.id + ".power", of.source,
                                     fmt::format("costcurve measure: W of a device by share of {:.6g} tokens/s", run.largest_rate));
    if (blocks.front().share > 0.0) {
        append_point(curve, 0.0, blocks.front().watts / of.devices);
    }
    for (const Block& block : blocks) {
        append_point(curve, block.share, block.watts / of.devices);
    }
    if (curve.x.back() < 1.0) {
        append_point(curve, 1.0, curve.y.back());
    }
    return curve;
}

} // namespace

HardError describe_measured(const Json& root, const Options& options, model::Measurement& measurement) {
    const std::string name = options.model.empty() ? std::string(text_of(root, "model")) : options.model;
    measurement.model = options.model.empty() ? model_id_of(name) : name;
    if (measurement.model.empty()) {
        return hard_error(model::Code::missing, 0, "the file names no model; say which with --model");
    }
    const std::string spelling = options.device.empty() ? std::string(text_of(root, "device")) : options.device;
    const std::optional<std::string> device =
        spelling.find('.') != std::string::npos && make_id({spelling}) == spelling ? spelling : device_of(spelling);
    if (!device) {
        return hard_error(model::Code::unknown_value, 0,
                          fmt::format("no device is called \"{}\"; say which with --device, or add an alias", spelling));
    }
    const auto precision = model::value_of<model::NumberFormat>(text_of(root, "precision"));
    const Number devices = number_of(root, "devices");
    const std::string date(text_of(root, "date"));
    double day = 0.0;
    if (!precision || !devices || devices.value < 1.0 || devices.value > 1e6 || devices.value != std::floor(devices.value) ||
        !model::parse_date(date, day)) {
        return hard_error(model::Code::bad_format, 0,
                          "precision, devices (a whole number from 1) and date (YYYY-MM-DD) are needed");
    }
    if (options.today && day > *options.today + 1.0) {
        return hard_error(
            model::Code::out_of_range, 0,
            fmt::format("its date is {}, a day to come: set the clock of the machine that measured, and the date in the "
                        "file, right (force reads it all the same)",
                        date));
    }
    measurement.device = *device;
    measurement.devices = static_cast<int>(devices.value);
    measurement.precision = *precision;
    measurement.framework = text_of(root, "framework");
    measurement.version = text_of(root, "version");
    measurement.date.text = date;
    measurement.own = true;
    measurement.source = source_of(options);
    measurement.note = "costcurve measure: closed loop, means of the requests that began and ended in each phase";
    measurement.id = options.id.empty() ? fmt::format("own.{}.{}.{}x.{}.{}", measurement.model, measurement.device,
                                                      measurement.devices, text_of(root, "precision"), date)
                                        : options.id;
    return std::nullopt;
}

HardError read_measured_run(Bytes& bytes, const Options& options, Report& report) {
    const JsonFile file(bytes);
    if (file.error()) {
        HardError error = file.error();
        error->message += "; is the file cut off? costcurve measure writes it whole";
        return error;
    }
    const Json& root = *file.root();
    for (const std::string_view beside : kBesideFigures) {
        note_read(beside);
    }
    if (text_of(root, "format") != "costcurve measured" || number_of(root, "format_version").value != 1.0) {
        return hard_error(model::Code::bad_format, 0, "it is no file of costcurve measure, or of a version that is not read");
    }
    bool is_complete = false;
    if (const auto complete = member(root, "complete");
        !complete || complete->get(is_complete) != simdjson::SUCCESS || !is_complete) {
        return hard_error(model::Code::bad_format, 0, "the measurement was not completed; measure again");
    }
    if (text_of(root, "kind") == "training") {
        return read_measured_training(root, options, report);
    }
    if (text_of(root, "kind") == "hosted") {
        return read_measured_hosted(root, options, report);
    }
    ServedRun run;
    if (HardError error = describe_measured(root, options, run.measurement)) {
        return error;
    }
    if (HardError error = read_phases(root, run, report)) {
        return error;
    }
    if (auto curve = power_curve(run)) {
        report.add(std::move(*curve));
    }
    report.add(std::move(run.measurement));
    return std::nullopt;
}

} // namespace costcurve::imports
