// The table of formats, and what all of them share: options are checked first, exceptions of libraries become errors.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/calendar.hpp"
#include "server/import/aliases.hpp"
#include "server/import/importer.hpp"
#include "server/import/numbers.hpp"
#include "server/import/readers.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

constexpr auto kOptions = std::to_array<OptionRow>({
    {"source", &Options::source, "where the file is from: repository and commit, or URL; kept in what is made of it"},
    {"date", &Options::date,
     "YYYY-MM-DD: since when prices hold that have no date of their own; the day at which relative times begin"},
    {"provider", &Options::provider, "of price lists that do not name one: aws, gcp, azure, lambda, runpod …"},
    {"region", &Options::region, "of what does not name one"},
    {"currency", &Options::currency, "of price lists that do not name one, such as USD"},
    {"device", &Options::device, "which device it is about, where the file does not say: an id, or a name such as H100"},
    {"devices", &Options::devices, "how many of the device the figures are of"},
    {"time_zone", &Options::time_zone,
     "of local times in the file, and of the hours of curves that are made of it, such as Europe/Brussels"},
    {"id", &Options::id, "of the one curve or document that the file becomes"},
});

constexpr auto kFormats = std::to_array<Format>({
    {"hourly_prices", "8760 electricity prices of a year, a number a line, in USD or `currency` per MWh (NREL SAM)", "id", "source",
     read_hourly_prices},
    {"llm_trace",
     "requests with their tokens in and out, as CSV (Azure, BurstGPT) or JSON lines (Mooncake): demand by hour, of requests and "
     "tokens",
     "id", "source date time_zone", read_llm_trace},
    {"request_log", "requests with their execution seconds or status (Alibaba): demand by hour", "id", "source date time_zone",
     read_request_log},
    {"request_rate", "samples of requests/s over time (Alibaba qps): demand by hour, for each type of request", "id",
     "source date time_zone", read_request_rate},
    {"gpu_duty_cycle", "samples of GPU busy percent over time, by container (Alibaba): utilization by hour", "id",
     "source date time_zone", read_gpu_duty_cycle},
});

bool names(std::string_view list, std::string_view option) {
    return fmt::format(" {} ", list).find(fmt::format(" {} ", option)) != std::string::npos;
}

} // namespace

std::span<const OptionRow> import_options() { return kOptions; }
std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) {
    const auto found = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& format) { return format.name == name; });
    return found == kFormats.end() ? nullptr : &*found;
}

model::Failure check_options(const Format& format, const Options& options) {
    model::Failure issues;
    const auto wrong = [&](std::string_view option, Code code, std::string message) {
        issues.push_back({fmt::format("/{}", option), code, std::move(message)});
    };
    for (const OptionRow& row : kOptions) {
        const std::string& value = options.*row.member;
        if (value.empty() && names(format.needs, row.name)) {
            wrong(row.name, Code::missing, fmt::format("{} needs it: {}", format.name, row.help));
        } else if (!value.empty() && !names(format.needs, row.name) && !names(format.takes, row.name)) {
            wrong(row.name, Code::not_allowed, fmt::format("{} has no use for it", format.name));
        } else if (value.size() > 1000) {
            wrong(row.name, Code::too_large, "it is longer than 1000 characters");
        }
    }
    double day = 0.0;
    if (!options.date.empty() && !model::parse_date(options.date, day)) {
        wrong("date", Code::bad_format, "give a day that exists, as YYYY-MM-DD");
    }
    if (!options.time_zone.empty() && !model::is_time_zone(options.time_zone)) {
        wrong("time_zone", Code::unknown_value, "give an IANA time zone, such as Europe/Brussels");
    }
    const bool three_capitals = options.currency.size() == 3 && std::all_of(options.currency.begin(), options.currency.end(),
                                                                            [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!options.currency.empty() && !three_capitals) {
        wrong("currency", Code::bad_format, "give three capital letters, such as USD");
    }
    if (!options.device.empty() && !device_of(options.device) && make_id({options.device}) != options.device) {
        wrong("device", Code::unknown_value, "give a device's id, or a name that the table of aliases knows, such as H100");
    }
    const Number devices = parse_number(options.devices);
    if (!options.devices.empty() &&
        (!devices || devices.value < 1.0 || devices.value > 1e6 || devices.value != static_cast<int>(devices.value))) {
        wrong("devices", Code::out_of_range, "give a whole number from 1 to 1000000");
    }
    if (!options.id.empty() && make_id({options.id}) != options.id) {
        wrong("id", Code::bad_format, "give a slug, [a-z0-9][a-z0-9._-]{0,127}");
    }
    return issues;
}

HardError read_file(const Format& format, Bytes& bytes, const Options& options, Report& report) {
    if (format.read != nullptr) {
        return format.read(bytes, options, report);
    }
    std::optional<std::string> text = bytes.whole();
    if (!text) {
        return bytes.error();
    }
    const NamedText file{options.name, std::move(*text)};
    return format.read_set({&file, 1}, options, report);
}

HardError read_files(const Format& format, std::span<const NamedText> files, const Options& options, Report& report) {
    return format.read_set(files, options, report);
}

std::string source_of(const Options& options, std::string_view entry) {
    std::string source = options.source;
    for (const std::string_view part : {std::string_view(options.name), entry}) {
        source += (source.empty() || part.empty() ? "" : " ") + std::string(part);
    }
    return source;
}

model::Issue hard_error(Code code, std::size_t row, std::string_view message) {
    return {"", code, row == 0 ? std::string(message) : fmt::format("row {}: {}", row, message)};
}

} // namespace costcurve::imports
