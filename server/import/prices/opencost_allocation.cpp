// OpenCost's allocations (GET /allocation of OpenCost and Kubecost, JSON): what namespaces, controllers and idle capacity of a
// cluster cost, as lines of category `allocation` with the labels as tags. Efficiencies are not kept: they are shares of requests,
// which no line has.
// https://opencost.io/docs/integrations/api
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/prices/bill_sums.hpp"
#include "server/import/prices/bill_tags.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

namespace {

constexpr double kSecondsPerDay = 86400.0;

// A part of an allocation's cost, and what was used for it.
struct AllocationPart {
    std::string_view sku;
    std::string_view cost;
    std::string_view adjustment; // added to the cost
    std::string_view quantity;
    std::string_view unit;
    double per_unit = 1.0; // of the quantity
};
constexpr auto kParts = std::to_array<AllocationPart>({
    {"gpu", "gpuCost", "gpuCostAdjustment", "gpuHours", "GPU-Hours"},
    {"cpu", "cpuCost", "cpuCostAdjustment", "cpuCoreHours", "Core-Hours"},
    {"ram", "ramCost", "ramCostAdjustment", "ramByteHours", "GiB-Hours", kBytesPerGib},
    {"pv", "pvCost", "pvCostAdjustment", "pvByteHours", "GiB-Hours", kBytesPerGib},
    {"network", "networkCost", "networkCostAdjustment", "", ""},
    {"load_balancer", "loadBalancerCost", "loadBalancerCostAdjustment", "", ""},
    {"shared", "sharedCost", "", "", ""},
    {"external", "externalCost", "", "", ""},
});

// From one moment to another, in seconds of UTC.
struct Span {
    double begin = 0.0;
    double end = 0.0;
};

std::optional<Span> span_of(const Json& json) {
    const auto begin = parse_moment(text_of(json, "start"));
    const auto end = parse_moment(text_of(json, "end"));
    return begin && end && end->seconds >= begin->seconds ? std::optional(Span{begin->seconds, end->seconds}) : std::nullopt;
}

// Days of a span with their share of it; all of one without length is of its day.
std::vector<std::pair<double, double>> days_of(const Span& span) {
    std::vector<std::pair<double, double>> days;
    const double length = span.end - span.begin;
    for (double day = std::floor(span.begin / kSecondsPerDay); day * kSecondsPerDay < span.end || days.empty(); day += 1.0) {
        const double within = std::min(span.end, (day + 1.0) * kSecondsPerDay) - std::max(span.begin, day * kSecondsPerDay);
        days.emplace_back(day, length > 0.0 ? within / length : 1.0);
    }
    return days;
}

void add_labels(const Json& properties, std::string_view name, std::map<std::string, std::string>& tags) {
    if (const auto labels = object_of(properties, name)) {
        for (const auto& [key, value] : *labels) {
            std::string_view text;
            if (value.get(text) == simdjson::SUCCESS) {
                note_read(key);
                tags[std::string(key)] = text;
            }
        }
    }
}

// Labels of the namespace, over them those of the pod, over them what the allocation is of.
std::map<std::string, std::string> tags_of(const Json& properties) {
    std::map<std::string, std::string> tags;
    add_labels(properties, "namespaceLabels", tags);
    add_labels(properties, "labels", tags);
    for (const std::string_view name : {"namespace", "controllerKind", "controller", "pod", "container"}) {
        if (const std::string_view text = text_of(properties, name); !text.empty()) {
            tags[std::string(name)] = text;
        }
    }
    return tags;
}

class AllocationReader {
public:
    AllocationReader(const Options& options, Report& report) : report_(report) {
        line_.category = "allocation";
        line_.provider = options.provider.empty() ? "opencost" : provider_of(options.provider);
        line_.region = options.region;
        line_.currency = dollars_or_option(options);
        device_ = options.device.empty() ? "" : device_of(options.device).value_or(options.device);
    }

    // False where the lines are too many.
    bool read(std::string_view name, const Json& allocation) {
        ++report_.rows;
        if (allocation.is_null()) {
            ++report_.skipped;
            return true;
        }
        auto span = span_of(allocation);
        if (const auto window = member(allocation, "window"); !span && window) {
            span = span_of(*window);
        }
        std::array<double, kParts.size()> costs{};
        std::array<double, kParts.size()> quantities{};
        if (!span) {
            reject(fmt::format("{} has no start and end; give times such as 2026-11-01T00:00:00Z", name));
            return true;
        }
        if (!read_parts(name, allocation, costs, quantities)) {
            return true;
        }
        const auto properties = member(allocation, "properties");
        line_.resource = name;
        line_.account = properties ? text_of(*properties, "cluster") : "";
        if (line_.resource.find('\0') != std::string::npos || line_.account.find('\0') != std::string::npos) {
            reject("its name or its cluster has the character U+0000, which not every store can keep; leave it out");
            return true;
        }
        line_.tags = properties ? canonical_tags(tags_of(*properties)) : "";
        const auto days = days_of(*span);
        if (span->end - span->begin > kSecondsPerDay) {
            first_long_ = ++long_ == 1 ? report_.rows : first_long_;
        }
        for (const auto& [day, share] : days) {
            for (std::size_t i = 0; i < kParts.size(); ++i) {
                if ((costs[i] != 0.0 || quantities[i] != 0.0) &&
                    !sums_.add(line_of(kParts[i], day, costs[i] * share, quantities[i] * share))) {
                    return false;
                }
            }
        }
        return true;
    }

    void finish() {
        if (long_ > 0) {
            report_.warnings.add(first_long_,
                                 fmt::format("{} allocations are of more than a day: they are spread evenly over their hours; "
                                             "query OpenCost with step=1d to have them by day",
                                             long_));
        }
        sums_.give(report_);
    }

private:
    void reject(std::string reason) { report_.rejected.add(report_.rows, std::move(reason)); }

    bool read_parts(std::string_view name, const Json& allocation, std::array<double, kParts.size()>& costs,
                    std::array<double, kParts.size()>& quantities) {
        double sum = 0.0;
        for (std::size_t i = 0; i < kParts.size(); ++i) {
            const AllocationPart& part = kParts[i];
            for (const std::string_view of : {part.cost, part.adjustment, part.quantity}) {
                const Number number = of.empty() ? Number{} : number_of(allocation, of);
                if (number.state == Number::State::bad || (of == part.quantity && number.value < 0.0)) {
                    reject(fmt::format("{}: {} is no {}; the allocation is left out", name, of,
                                       of == part.quantity ? "number from 0" : "number"));
                    return false;
                }
                (of == part.quantity ? quantities[i] : costs[i]) += number.value / (of == part.quantity ? part.per_unit : 1.0);
            }
            sum += costs[i];
        }
        constexpr double kRounding = 0.005;
        constexpr double kCent = 0.01;
        if (sum < 0.0) {
            report_.warnings.add(report_.rows,
                                 fmt::format("{}: its cost is {:.5g}, below 0: more was allocated than the nodes cost; it is "
                                             "taken as it is",
                                             name, sum));
        }
        const Number total = number_of(allocation, "totalCost");
        if (total && std::abs(total.value - sum) > kRounding * std::abs(total.value) + kCent) {
            report_.warnings.add(
                report_.rows,
                fmt::format("{}: its parts add up to {:.5g}, totalCost is {:.5g}; the parts are taken", name, sum, total.value));
        }
        return true;
    }

    const BillLine& line_of(const AllocationPart& part, double day, double cost, double quantity) {
        const bool is_gpu = part.sku == "gpu";
        line_.sku = part.sku;
        line_.day = std::llround(day);
        line_.billed_cost = line_.effective_cost = cost;
        line_.consumed_unit = part.unit;
        line_.consumed_quantity = quantity;
        line_.device = is_gpu ? device_ : "";
        line_.device_hours = is_gpu ? quantity : 0.0;
        return line_;
    }

    Report& report_;
    BillLine line_; // the next one
    std::string device_;
    BillSums sums_;
    std::size_t long_ = 0;
    std::size_t first_long_ = 0; // its row
};

} // namespace

HardError read_opencost_allocation(Bytes& bytes, const Options& options, Report& report) {
    const JsonFile file(bytes);
    if (file.error()) {
        return file.error();
    }
    const Json root = *file.root();
    constexpr double kOk = 200.0;
    if (const Number code = number_of(root, "code"); code && code.value != kOk) {
        return hard_error(model::Code::bad_format, 0,
                          fmt::format("it is OpenCost's error {}: {}; query it again", code.value, text_of(root, "message")));
    }
    const auto sets = root.is_array() ? list_of(root) : list_of(root, "data");
    if (!sets) {
        return hard_error(model::Code::bad_format, 0, "it has no list named data; give an answer of OpenCost's /allocation");
    }
    AllocationReader reader(options, report);
    for (const Json set : *sets) {
        const auto allocations = object_of(set);
        if (set.is_null()) {
            continue;
        }
        if (!allocations) {
            return hard_error(model::Code::bad_format, 0, "data has an entry that is no object of allocations by name");
        }
        for (const auto& [name, allocation] : *allocations) {
            if (!reader.read(name, allocation)) {
                return hard_error(model::Code::too_large, report.rows,
                                  fmt::format("it has more than {} lines; import a part of its days at a time", BillSums::kMax));
            }
        }
    }
    if (report.rows == 0) {
        return hard_error(model::Code::bad_format, 0, "data has no allocations; was the window before OpenCost ran?");
    }
    reader.finish();
    return std::nullopt;
}

} // namespace costcurve::imports
