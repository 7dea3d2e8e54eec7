// Parameters of a model by its name: a size between dashes, underscores, slashes, colons or spaces.
#include "server/ingest/plausible/named_size.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/documents/text.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kThird = 1.0 / 3.0;

struct SizeUnit {
    char letter;
    double parameters;
};
constexpr auto kSizeUnits = std::to_array<SizeUnit>({{'m', 1e6}, {'b', 1e9}, {'t', 1e12}});

struct NamedSize {
    double parameters = 0.0;
    double unit = 0.0; // of its last digit
    bool is_active = false;
};

// "70b", "8x7b", "a22b", "1.5b"; nothing of others.
std::vector<NamedSize> size_in(std::string_view part) {
    const bool is_active = part.starts_with('a');
    part.remove_prefix(is_active ? 1 : 0);
    const auto* const unit = part.empty() ? kSizeUnits.end() : std::ranges::find(kSizeUnits, part.back(), &SizeUnit::letter);
    if (unit == kSizeUnits.end()) {
        return {};
    }
    part.remove_suffix(1);
    const std::size_t times = part.find('x');
    const auto count = times == std::string_view::npos ? std::optional(1.0) : model::read_number<double>(part.substr(0, times));
    const std::string_view digits = times == std::string_view::npos ? part : part.substr(times + 1);
    const auto size = model::read_number<double>(digits);
    if (!count || !size || *count <= 0.0 || *size <= 0.0 || digits.find_first_not_of("0123456789.") != std::string_view::npos) {
        return {};
    }
    const std::size_t dot = digits.find('.');
    const auto decimals = dot == std::string_view::npos ? 0.0 : static_cast<double>(digits.size() - dot - 1);
    return {{*count * *size * unit->parameters, *count * unit->parameters / std::pow(10.0, decimals), is_active}};
}

bool fits(const NamedSize& size, double parameters) {
    const double off = std::abs(parameters - size.parameters);
    return off <= size.parameters * kThird || off <= size.unit / 2.0;
}

// The parts that are sizes, each with what it may mean: "1_5b" is 1.5b or 5b.
std::vector<std::pair<std::string, std::vector<NamedSize>>> sizes_in(const std::string& name) {
    std::vector<std::pair<std::string, std::vector<NamedSize>>> found;
    std::string before; // the part before, where an underscore follows it
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t end = std::min(name.find_first_of("-/: _@", at), name.size());
        const std::string part = name.substr(at, end - at);
        std::vector<NamedSize> sizes = size_in(part);
        if (!sizes.empty() && !before.empty()) {
            std::ranges::move(size_in(fmt::format("{}.{}", before, part)), std::back_inserter(sizes));
        }
        if (!sizes.empty()) {
            found.emplace_back(part, std::move(sizes));
        }
        before = end < name.size() && name[end] == '_' ? part : "";
        at = end + 1;
    }
    return found;
}

} // namespace

std::string reason_of_named_size(const std::string& name, double parameters, double active_parameters) {
    const auto fits_model = [&](const NamedSize& size) {
        return fits(size, active_parameters) || (!size.is_active && fits(size, parameters));
    };
    std::string wrong;
    std::string wrong_context; // of millions and trillions, which are tokens beside a size in billions: "14b-1m"
    bool has_billions = false;
    for (const auto& [part, sizes] : sizes_in(model::lower(name))) {
        has_billions = has_billions || part.ends_with('b');
        if (std::ranges::none_of(sizes, fits_model)) {
            (part.ends_with('b') ? wrong : wrong_context) = part;
        }
    }
    wrong = wrong.empty() && !has_billions ? wrong_context : wrong;
    return wrong.empty()
               ? ""
               : fmt::format("its name {} says {}, and it has {:.4g} parameters{}: is a figure of it wrong, or the name?", name,
                             wrong, parameters,
                             active_parameters < parameters ? fmt::format(", {:.4g} of them active", active_parameters) : "");
}

std::string reason_of_named_size(const storage::Snapshot& snapshot, const model::Model& model) {
    if (snapshot.load({storage::Kind::model, model.id})) {
        return "";
    }
    std::string reason = reason_of_named_size(model.id, model.parameters, model.active_parameters);
    for (const std::string& alias : model.aliases) {
        reason = reason.empty() ? reason_of_named_size(alias, model.parameters, model.active_parameters) : reason;
    }
    return reason;
}

} // namespace costcurve::ingest
