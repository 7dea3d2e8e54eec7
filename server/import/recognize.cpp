// Recognizes a file's format by running every reader; what the readers give is counted and dropped.
#include "server/import/recognize.hpp"

#include <algorithm>
#include <array>

#include "model/documents/calendar.hpp"

namespace costcurve::imports {

namespace {

// Placeholder for an option that a format needs, while the format is tried.
struct StandIn {
    std::string_view option;
    std::string_view value;
};
constexpr auto kStandIns = std::to_array<StandIn>({
    {"date", "2000-01-01"},
    {"provider", "somebody"},
    {"id", "something"},
    {"device", "H100"},
    {"devices", "1"},
    {"model", "llama-3.1-8b"},
    {"time_zone", "UTC"},
    {"tdp_w", "500"},
});

// Which options get a placeholder.
enum class StandInsFor { needed, heeded };

Options options_for(const Format& format, const NamedText& first, const Options& given, StandInsFor which) {
    Options options = given;
    options.date = options.date.empty() ? date_in_name(first.name) : options.date;
    for (const OptionRow& row : import_options()) {
        std::string& value = options.*row.member;
        if (!heeds(format, row.name)) {
            value.clear();
        } else if (const auto* const found =
                       std::find_if(kStandIns.begin(), kStandIns.end(), [&](const StandIn& it) { return it.option == row.name; });
                   value.empty() && (which == StandInsFor::heeded || needs(format, row.name)) && found != kStandIns.end()) {
            value = found->value;
        }
    }
    return options;
}

// The result of trying a format; nothing found if the reader stops with an error.
Recognized tried(const Format& format, std::span<const NamedText> files, const Options& given, StandInsFor which) {
    Recognized result{&format, 0.0, 0};
    Report report;
    report.on_document = [&](Document&& /*document*/) { ++result.found; };
    report.on_bill_line = [&](const BillLine& /*line*/) { ++result.found; };
    report.on_sample = [&](const Sample& /*sample*/) { ++result.found; };
    Options options = options_for(format, files.front(), given, which);
    if (format.read_set != nullptr) {
        options.name = files.size() == 1 ? files.front().name : "";
        if (read_files(format, files, options, report)) {
            return {&format, 0.0, 0};
        }
    } else {
        for (const NamedText& file : files) {
            options.name = file.name;
            Bytes bytes{std::string_view(file.text)};
            if (read_file(format, bytes, options, report)) {
                return {&format, 0.0, 0};
            }
        }
    }
    const std::size_t rows = std::max<std::size_t>(report.rows, 1);
    result.used_fraction = 1.0 - static_cast<double>(std::min(report.rejected.rows, rows)) / static_cast<double>(rows);
    return result;
}

std::vector<Recognized> understanding(std::span<const NamedText> files, const Options& given, StandInsFor which) {
    std::vector<Recognized> found;
    for (const Format& format : files.empty() ? std::span<const Format>() : formats()) {
        if (const Recognized result = tried(format, files, given, which); result.found > 0) {
            found.push_back(result);
        }
    }
    return found;
}

} // namespace

std::vector<Recognized> recognize(std::span<const NamedText> files, const Options& given) {
    std::vector<Recognized> found = understanding(files, given, StandInsFor::needed);
    if (found.empty()) { // a contract may not name its device
        found = understanding(files, given, StandInsFor::heeded);
    }
    const auto is_better = [](const Recognized& a, const Recognized& b) {
        return a.used_fraction != b.used_fraction ? a.used_fraction > b.used_fraction : a.found > b.found;
    };
    std::stable_sort(found.begin(), found.end(), is_better);
    const auto behind =
        std::find_if(found.begin(), found.end(), [&](const Recognized& it) { return is_better(found.front(), it); });
    found.erase(behind, found.end());
    return found;
}

std::string date_in_name(std::string_view name) {
    constexpr std::size_t kLength = std::string_view("YYYY-MM-DD").size();
    const auto is_digit = [&](std::size_t at) { return at < name.size() && name[at] >= '0' && name[at] <= '9'; };
    std::string found;
    for (std::size_t at = 0; at + kLength <= name.size(); ++at) {
        double day = 0.0;
        const bool stands_alone = (at == 0 || !is_digit(at - 1)) && !is_digit(at + kLength);
        if (stands_alone && model::parse_date(std::string(name.substr(at, kLength)), day)) {
            if (!found.empty() && found != name.substr(at, kLength)) {
                return "";
            }
            found = name.substr(at, kLength);
        }
    }
    return found;
}

std::string provider_in_name(std::string_view name) {
    const std::size_t end = name.find("_vms");
    const std::string_view provider = name.substr(0, end == std::string_view::npos ? 0 : end);
    const bool is_word = std::all_of(provider.begin(), provider.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
    return is_word ? std::string(provider) : "";
}

} // namespace costcurve::imports
