// Watts of cloud instances at idle, 10, 50 and 100 % load (the AWS table of Cloud Carbon Footprint): power curves of the GPUs and
// of whole instances.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "server/import/curves.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/read_rows.hpp"

namespace costcurve::imports {

namespace {

constexpr std::array<double, 4> kLoads = {0.0, 0.1, 0.5, 1.0};
constexpr std::array<const char*, 4> kLoadNames = {"Idle", "10%", "50%", "100%"};
constexpr double kTableRoundingW = 0.05; // W: the table has one decimal, of all GPUs of an instance together

using Watts = std::array<double, 4>;

struct Gpu {
    std::size_t row = 0;
    std::string instance;
    std::string name;
    double gpus = 0.0;
    Watts watts{};      ///< of one GPU
    std::string shared; ///< other GPUs with the same watts
};

class InstancePowerReader {
public:
    InstancePowerReader(Bytes& bytes, const Options& options, Report& report)
        : table_(bytes), options_(options), report_(report), provider_(options.provider) {}

    HardError read() {
        if (HardError error = read_header()) {
            return error;
        }
        if (HardError error = each_row(table_, report_, [&] { return read_row(); })) {
            return error;
        }
        if (instances_.empty()) {
            return hard_error(model::Code::missing, 0, "no row has watts of an instance");
        }
        add_gpus();
        return std::nullopt;
    }

private:
    HardError read_header() {
        if (!table_.require({"Instance type", "Instance @ Idle", "Instance @ 10%", "Instance @ 50%", "Instance @ 100%"})) {
            return table_.error();
        }
        for (std::size_t i = 0; i < kLoads.size(); ++i) {
            instance_[i] = table_.column(fmt::format("Instance @ {}", kLoadNames[i]));
            gpu_[i] = table_.column(fmt::format("GPUWatt @ {}", kLoadNames[i]));
        }
        type_ = table_.column("Instance type");
        gpu_name_ = table_.column("Platform GPU Name");
        gpus_ = table_.column("Instance Number of GPU");
        const bool says_aws = std::any_of(table_.header().begin(), table_.header().end(),
                                          [](const std::string& name) { return name.find("AWS") != std::string::npos; });
        if (provider_.empty() && !says_aws) {
            return hard_error(model::Code::missing, 1, "no column names the provider; give the option provider");
        }
        provider_ = provider_.empty() ? "aws" : provider_;
        return std::nullopt;
    }

    // Of one to four columns, decimal commas; an empty text where all four are good, else what is wrong.
    std::string read_watts(const std::array<Column, 4>& columns, std::string_view what, Watts& watts) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const Number number = parse_number(table_.text(columns[i]), DecimalMark::comma);
            if (!number || number.value < 0.0) {
                return number.state == Number::State::blank
                           ? fmt::format("{} @ {} is blank", what, kLoadNames[i])
                           : fmt::format("{} @ {} is \"{}\"; watts are needed", what, kLoadNames[i], table_.text(columns[i]));
            }
            watts[i] = number.value;
        }
        return watts[3] > 0.0 ? "" : fmt::format("{} @ 100% is 0 W", what);
    }

    std::string read_row() {
        const std::string type(table_.text(type_));
        if (type.empty()) {
            return "Instance type is blank";
        }
        Watts watts{};
        if (const std::string wrong = read_watts(instance_, "Instance", watts); !wrong.empty()) {
            return fmt::format("{}: {}", type, wrong);
        }
        const auto [at, is_new] = instances_.try_emplace(type, watts);
        if (!is_new && at->second != watts) {
            return fmt::format("{} has other watts in a row above", type);
        }
        if (!is_new) {
            ++report_.skipped;
            return "";
        }
        if (!std::is_sorted(watts.begin(), watts.end())) {
            report_.warnings.add(table_.row(), fmt::format("the watts of {} do not rise with its load", type));
        }
        add_instance(type, watts, read_gpu(type));
        return "";
    }

    // Watts of all GPUs of the row; 0 if it has no GPU.
    Watts read_gpu(const std::string& type) {
        const Number gpus = table_.number(gpus_);
        const std::string name(table_.text(gpu_name_));
        if (gpus.state == Number::State::blank || (gpus && gpus.value == 0.0)) {
            return {};
        }
        Watts watts{};
        std::string wrong = read_watts(gpu_, "GPUWatt", watts);
        if (!gpus || gpus.value < 1.0) {
            wrong = fmt::format("Instance Number of GPU is \"{}\"", table_.text(gpus_));
        }
        const std::optional<std::string> device = device_of(name);
        if (wrong.empty() && !device) {
            wrong = fmt::format("GPU \"{}\" is unknown", name);
        }
        if (!wrong.empty()) {
            report_.rejected.add(table_.row(), fmt::format("{}: {}; its GPUs have no curve", type, wrong));
            return {};
        }
        Gpu gpu{table_.row(), type, name, gpus.value, watts, ""};
        for (double& one : gpu.watts) {
            one /= gpus.value;
        }
        keep(*device, gpu);
        return watts;
    }

    // The first row of a device is kept; the others may differ by rounding.
    void keep(const std::string& device, const Gpu& gpu) {
        const auto [at, is_new] = found_.try_emplace(device, gpu);
        const Gpu& first = at->second;
        for (std::size_t i = 0; !is_new && i < gpu.watts.size(); ++i) {
            if (std::fabs(gpu.watts[i] - first.watts[i]) > kTableRoundingW / gpu.gpus + kTableRoundingW / first.gpus + 1e-9) {
                report_.rejected.add(gpu.row,
                                     fmt::format("{}: a {} draws {:.4g} W at {}, in row {} {:.4g} W, which are read", gpu.instance,
                                                 gpu.name, gpu.watts[i], kLoadNames[i], first.row, first.watts[i]));
                return;
            }
        }
    }

    void add_instance(const std::string& type, const Watts& watts, const Watts& gpus) {
        std::string note = "Watts of the whole instance: package, memory and a share of the rest of the machine";
        if (gpus[3] > 0.0) {
            note +=
                fmt::format(", with its GPUs. Without them {:.4g} W idle and {:.4g} W at full load: host_idle_w and host_max_w of "
                            "a server like it",
                            std::max(watts[0] - gpus[0], 0.0), std::max(watts[3] - gpus[3], 0.0));
        }
        // Of processors, whose rate rises with the time that they are busy.
        report_.add(curve_of(watts, model::Axis::throughput_share,
                             make_id({"power", dashed(fmt::format("{}.{}", provider_, type)), "ccf"}),
                             fmt::format("row {}, Instance @ Idle, 10, 50 and 100 %", type), note + "."));
    }

    // Watts of other GPUs, to the rounding, that make the figures a model's and no measurement of this one.
    void add_gpus() {
        for (auto& [device, gpu] : found_) {
            for (const auto& [other, its] : found_) {
                const double tolerance = kTableRoundingW / gpu.gpus + kTableRoundingW / its.gpus;
                const bool same = std::equal(gpu.watts.begin(), gpu.watts.end(), its.watts.begin(),
                                             [&](double a, double b) { return std::fabs(a - b) <= tolerance; });
                gpu.shared += device != other && same ? (gpu.shared.empty() ? "" : ", ") + its.name : "";
            }
            std::string note = fmt::format("Watts of one GPU, of {} in {}.", gpu.gpus, gpu.instance);
            if (!gpu.shared.empty()) {
                note += fmt::format(" The table has the same watts for {}: one profile for all, no measurement of this GPU.",
                                    gpu.shared);
                report_.warnings.add(gpu.row, fmt::format("the watts of {} are those of {}, too: one profile, not a measurement",
                                                          gpu.name, gpu.shared));
            }
            report_.add(curve_of(gpu.watts, model::Axis::busy_time, make_id({"power", dashed(device), "ccf"}),
                                 fmt::format("row {}, GPUWatt @ Idle, 10, 50 and 100 %", gpu.instance), note));
        }
    }

    static std::string dashed(std::string text) {
        std::replace(text.begin(), text.end(), '.', '-');
        return text;
    }

    [[nodiscard]] model::Curve curve_of(const Watts& watts, model::Axis axis, std::string id, std::string_view entry,
                                        std::string note) const {
        model::Curve curve = empty_curve(model::CurveKind::power, axis, std::move(id), source_of(options_, entry), std::move(note));
        curve.x.assign(kLoads.begin(), kLoads.end());
        curve.y.assign(watts.begin(), watts.end());
        return curve;
    }

    Table table_;
    const Options& options_;
    Report& report_;
    std::string provider_;
    Column type_, gpu_name_, gpus_;
    std::array<Column, 4> instance_, gpu_;
    std::map<std::string, Watts> instances_;
    std::map<std::string, Gpu> found_; ///< by device
};

} // namespace

HardError read_instance_power(Bytes& bytes, const Options& options, Report& report) {
    return InstancePowerReader(bytes, options, report).read();
}

} // namespace costcurve::imports
