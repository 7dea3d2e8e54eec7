// Reads Epoch AI's tables of trained models: systems (hardware, hours, MFU) and published training costs. The performance derived
// from a run is an estimate.
#include <map>
#include <set>

#include <fmt/format.h>

#include "server/import/demand/week_hours.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

constexpr double kTrainingFlopPerParameter =
    6.0; // FLOP per parameter and token, forward and backward: Kaplan et al. 2020, arXiv:2001.08361

struct Costs {
    Number cloud, acquisition, amortised;
};
using CostsOfModels = std::map<std::string, Costs, std::less<>>;

bool has_column(const NamedText& file, std::string_view name) {
    Bytes bytes{std::string_view(file.text)};
    Table table(bytes);
    return bool(table.column(name));
}

HardError read_costs(const NamedText& file, CostsOfModels& costs, Report& report) {
    Bytes bytes{std::string_view(file.text)};
    Table table(bytes);
    if (!table.require({"Model"})) {
        return table.error();
    }
    const Column model = table.column("Model");
    const Column cloud = table.column("Cloud_Cost");
    const Column acquisition = table.column("Hardware_Acquisition_Cost");
    const Column amortised = table.column("Hardware_Capex_Energy_Cost");
    while (table.next()) {
        const bool is_new = costs
                                .try_emplace(std::string(table.text(model)),
                                             Costs{table.number(cloud), table.number(acquisition), table.number(amortised)})
                                .second;
        if (!is_new) {
            report.warnings.add(table.row(),
                                fmt::format("{}: {} stands there twice; its first row was taken", file.name, table.text(model)));
        }
    }
    return table.error();
}

// The columns of "All ML Systems".
struct TrainingCostColumns {
    explicit TrainingCostColumns(Table& table)
        : model(table.column("Model")), domain(table.column("Domain")), hardware(table.column("Training hardware")),
          quantity(table.column("Hardware quantity")), hours(table.column("Training time (hours)")),
          mfu(table.column({"Hardware utilization (MFU)", "Hardware utilization"})), parameters(table.column("Parameters")),
          compute(table.column("Training compute (FLOP)")),
          format(table.column("Numerical format")), notes{table.column("Abstract"), table.column("Parameters notes"),
                                                          table.column("Training compute notes")} {}
    Column model, domain, hardware, quantity, hours, mfu, parameters, compute, format;
    Column notes[3];
};

// Whether a model is a mixture of experts. Parameters counts all of them, but a token uses only a few experts.
bool is_mixture(const Table& table, const TrainingCostColumns& columns) {
    for (const Column notes : columns.notes) {
        const std::string text = lower(table.text(notes));
        for (const std::string_view word :
             {"mixture-of-experts", "mixture of experts", "sparsely activated", "sparsely-activated"}) {
            if (text.find(word) != std::string::npos) {
                return true;
            }
        }
    }
    return false;
}

std::string cost_note(const CostsOfModels& costs, std::string_view model) {
    const auto found = costs.find(model);
    if (found == costs.end()) {
        return "";
    }
    std::string note;
    for (const auto& [name, cost] : {std::pair("cloud rental", found->second.cloud),
                                     {"buying the hardware", found->second.acquisition},
                                     {"hardware amortised, and energy", found->second.amortised}}) {
        note += cost ? fmt::format("{}{} {:.4g}", note.empty() ? "" : ", ", name, cost.value) : "";
    }
    return note.empty() ? "" : fmt::format(" Published estimates of the training's cost, USD: {}.", note);
}

// Why a row can't give an estimate, or "".
std::string unusable(const Table& table, const TrainingCostColumns& columns, const std::optional<std::string>& device, Number mfu) {
    const std::string_view hardware = table.text(columns.hardware);
    if (!device) {
        return fmt::format("Training hardware is \"{}\": no device of that name is known", hardware);
    }
    if (!count_of(table.number(columns.quantity).value)) {
        return fmt::format("Hardware quantity is \"{}\"; a whole number from 1 to 1000000 is needed", table.text(columns.quantity));
    }
    if (columns.domain && table.text(columns.domain).find("Language") == std::string_view::npos) {
        return fmt::format("Domain is {}: 6 FLOP a parameter and token hold for language models", table.text(columns.domain));
    }
    if (is_mixture(table, columns)) {
        return "it is a mixture of experts: Parameters counts all of them, and how many a token passes is not in the table";
    }
    if (mfu.state == Number::State::bad || (mfu && (mfu.value <= 0 || mfu.value > 1))) {
        return fmt::format("MFU is \"{}\"; a fraction above 0 and up to 1 is needed", table.text(columns.mfu));
    }
    return table.number(columns.parameters).value < 1 ? "Parameters must be a number above 0" : "";
}

// Adds a system's documents. Gives the reason if the row can't be used, else "".
std::string add_system(const Table& table, const TrainingCostColumns& columns, const NamedText& file, const CostsOfModels& costs,
                       std::set<std::string>& ids, const Options& options, Report& report) {
    const std::string_view model = table.text(columns.model);
    const Number mfu = table.number(columns.mfu);
    const Number hours = table.number(columns.hours);
    const Number compute = table.number(columns.compute);
    const Number parameters = table.number(columns.parameters);
    const bool timed = hours.value > 0 && compute.value > 0;
    if (table.text(columns.hardware).empty() || table.text(columns.quantity).empty() || table.text(columns.parameters).empty() ||
        (mfu.state == Number::State::blank && !timed)) {
        ++report.skipped; // the required figures are not published
        return "";
    }
    const std::optional<std::string> device = device_in(table.text(columns.hardware));
    if (const std::string why = unusable(table, columns, device, mfu); !why.empty()) {
        return fmt::format("{}: {}", model, why);
    }
    model::Performance performance;
    performance.id = make_id({"epoch-training", model});
    if (!ids.insert(performance.id).second) {
        return fmt::format("{}: it stands there twice; its first row was taken", model);
    }
    performance.device.id = *device;
    performance.devices = *count_of(table.number(columns.quantity).value);
    performance.precision = precision_of(table.text(columns.format));
    performance.basis = model::Evidence::estimated;
    performance.source = source_of(options, fmt::format("{}, Model {}", file.name, model));
    if (mfu) {
        performance.estimate.emplace();
        performance.estimate->mfu = mfu.value;
        performance.estimate->active_parameters = parameters.value;
        performance.note = fmt::format("Tokens/s by 6 FLOP a parameter and token: {:.6g} parameters, MFU {} as published.",
                                       parameters.value, mfu.value);
    } else {
        const double rate = compute.value / (kTrainingFlopPerParameter * parameters.value * hours.value * kSecondsPerHour);
        performance.units_per_s = model::Rate{rate, std::nullopt};
        performance.note =
            fmt::format("Tokens/s: {:.4g} FLOP of training / (6 x {:.6g} parameters) / {:.6g} h; no MFU is published.",
                        compute.value, parameters.value, hours.value);
    }
    performance.note += hours ? fmt::format(" The run took {:.6g} h on {} devices.", hours.value, performance.devices) : "";
    performance.note += cost_note(costs, model);
    report.add(std::move(performance));
    return "";
}

HardError read_systems(const NamedText& file, const CostsOfModels& costs, std::set<std::string>& ids, const Options& options,
                       Report& report) {
    Bytes bytes{std::string_view(file.text)};
    Table table(bytes);
    if (!table.require({"Model", "Training hardware", "Hardware quantity", "Parameters"})) {
        return table.error();
    }
    const TrainingCostColumns columns(table);
    return each_row(table, report, [&] { return add_system(table, columns, file, costs, ids, options, report); });
}

} // namespace

HardError read_training_costs(std::span<const NamedText> files, const Options& options, Report& report) {
    CostsOfModels costs;
    std::vector<const NamedText*> systems;
    for (const NamedText& file : files) {
        if (!has_column(file, "Hardware_Capex_Energy_Cost") && !has_column(file, "Cloud_Cost")) {
            systems.push_back(&file);
        } else if (HardError error = read_costs(file, costs, report)) {
            error->message = fmt::format("{}: {}", file.name, error->message);
            return error;
        }
    }
    if (systems.empty()) {
        return hard_error(Code::missing, 0,
                          "the table of systems, with Training hardware and Hardware quantity, is needed beside the costs");
    }
    std::set<std::string> ids;
    for (const NamedText* const file : systems) {
        if (HardError error = read_systems(*file, costs, ids, options, report)) {
            error->message = fmt::format("{}: {}", file->name, error->message);
            return error;
        }
    }
    return std::nullopt;
}

} // namespace costcurve::imports
