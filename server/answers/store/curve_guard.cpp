// Against what is stored of it, or of the year before, and what any grid has.
#include "server/answers/store/curve_guard.hpp"

#include <cstddef>
#include <numeric>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/text.hpp"
#include "server/answers/store/price_history.hpp"
#include "server/documents/records.hpp"

namespace costcurve::answers {

namespace {

constexpr double kCurveJump = 10.0;   // of a tariff or a grid's carbon from one year to the next, crises among them
constexpr double kMinTariff = 0.0005; // a kWh, as a year's mean, of any currency: a twentieth of the cheapest wholesale power
constexpr double kMaxCarbon = 2500.0; // g/kWh: twice what burning lignite gives

// Its last value over date, else the mean of its points.
double level_of(const model::Curve& curve) {
    return curve.axis == model::Axis::date
               ? curve.y.back()
               : std::accumulate(curve.y.begin(), curve.y.end(), 0.0) / static_cast<double>(curve.y.size());
}

// "tariff.be-2024.hour-of-week" of "tariff.be-2025.hour-of-week"; "" of an id without a year.
std::string id_of_year_before(const std::string& id) {
    constexpr std::size_t kDigits = 4;
    for (std::size_t at = id.rfind('-'); at != std::string::npos && at > 0; at = id.rfind('-', at - 1)) {
        const std::string digits = id.substr(at + 1, id.find('.', at) - at - 1);
        const auto year = model::read_number<int>(digits);
        if (digits.size() == kDigits && year && *year > 1000) {
            return fmt::format("{}-{}{}", id.substr(0, at), *year - 1, id.substr(at + 1 + kDigits));
        }
    }
    return "";
}

// What is stored of the curve, else of the year before; nothing where that is another kind of curve.
std::optional<double> stored_level(const storage::Snapshot& snapshot, const model::Curve& curve) {
    for (const std::string& id : {curve.id, id_of_year_before(curve.id)}) {
        const auto revision = id.empty() ? std::nullopt : snapshot.load({storage::Kind::curve, id});
        if (!revision || !revision->unreadable.empty()) {
            continue;
        }
        const auto document = documents::decode_revision(*revision);
        const auto& stored = std::get<model::Curve>(document);
        return stored.kind == curve.kind && stored.axis == curve.axis && !stored.y.empty() ? std::optional(level_of(stored))
                                                                                           : std::nullopt;
    }
    return std::nullopt;
}

} // namespace

std::string reason_of_curve(const storage::Snapshot& snapshot, const model::Curve& curve, double today) {
    const bool is_over_date = curve.axis == model::Axis::date;
    if (curve.kind == model::CurveKind::price && is_over_date && curve.x.back() > today + 1.0) {
        return fmt::format("its last price is of {}, a day to come", model::date_text(curve.x.back()));
    }
    const double level = level_of(curve);
    const std::string said = fmt::format("its {} of {:.4g}", is_over_date ? "last value" : "mean", level);
    if (curve.kind == model::CurveKind::tariff && level < kMinTariff) {
        return fmt::format("{} a kWh is below {:g}: no grid sells for that, in any currency", said, kMinTariff);
    }
    if (curve.kind == model::CurveKind::carbon && level > kMaxCarbon) {
        return fmt::format("{} g/kWh is above {:g}, which no grid has", said, kMaxCarbon);
    }
    const std::optional<double> before = stored_level(snapshot, curve);
    return before && *before > 0.0 && is_beyond(level / *before, kCurveJump)
               ? fmt::format("{} is {:.3g} times what it was, {:.4g}", said, level / *before, *before)
               : "";
}

} // namespace costcurve::answers
