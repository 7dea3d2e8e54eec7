// What the prices of documents were before, as far as a guard reads it; and curves held against theirs.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/documents/curve.hpp"
#include "server/ingest/prices/other_sellers.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// Whether a ratio is the factor or its inverse, or beyond.
[[nodiscard]] inline bool is_beyond(double ratio, double factor) {
    constexpr double kRounding = 1e-9; // of a ratio
    return ratio >= factor * (1.0 - kRounding) || ratio <= (1.0 + kRounding) / factor;
}
/// Whether a price is within a tenth of another.
[[nodiscard]] inline bool is_about(double a, double b) {
    constexpr double kSame = 0.1;
    return std::abs(a - b) <= kSame * b;
}

/// What a thing cost before.
struct PriceHistory {
    std::optional<double> last; // on its day or before, else the first there is; for as many devices as the price is
    double month_ago = 0.0;     // what it was, or the first there is; 0 for nothing
    bool returns = false;       // the price is about one of the year before
    bool is_known = false;      // the price is one of them
    bool is_stored = false;     // so it stands there already, of that day
    std::map<std::string, double, std::less<>> classes; // of an endpoint: what its classes cost last, in this list or before
    std::string seller, thing, region;                  // as of the price
    std::string currency;                               // of its prices; "" where it has none
    int devices = 1;
    std::int64_t revisions = 0; // of its document
};

/// What one of them cost before, by what was stored under its key, if anything.
[[nodiscard]] PriceHistory history_in(const model::AnyDocument* document, const JudgedPrice& price,
                                      const std::vector<JudgedPrice>& prices);
/// Of each what it cost before. The prices are those of one list, by their keys.
[[nodiscard]] std::vector<PriceHistory> histories_of(const storage::Snapshot& snapshot, const std::vector<JudgedPrice>& prices);

/// The points of a price that a list states, as prices, up to and with its last; but for those that had ceased to hold a year
/// before.
[[nodiscard]] std::vector<JudgedPrice> with_points(const model::Offer& offer, const JudgedPrice& last);
[[nodiscard]] std::vector<JudgedPrice> with_points(const model::Endpoint& endpoint, const JudgedPrice& last);
/// Takes all but the last ones out.
[[nodiscard]] std::vector<JudgedPrice> take_points(std::vector<JudgedPrice>& prices);

/// The factor from which a price or a device's fact has about doubled or halved: halves are rounded.
inline constexpr double kJump = 1.9;
inline constexpr double kSpotJump = 4.0; ///< spot prices move by more within weeks

/// Why what batch work costs of an endpoint's price is not plausible; "" where it is.
[[nodiscard]] std::string reason_of_batch(const storage::Snapshot& snapshot, const std::string& id, double fraction);

/// Why a device or a model is held: its numbers that are one and a half times what is stored, two thirds, or beyond, and its words
/// that are others; "" where it is not, or nothing is stored.
template <class T>
[[nodiscard]] std::string reason_of_facts(const storage::Snapshot& snapshot, storage::Kind kind, const T& document);

/// Why a price is not of what its document was a price of: another device or model, seller or region; "" where it is.
[[nodiscard]] std::string reason_of_other_thing(const JudgedPrice& price, const PriceHistory& history);

/// "0.5 USD", "output at 0.5 USD".
[[nodiscard]] std::string said(const JudgedPrice& price, double amount);

/// Why a price that had none before is held, by itself and by what its document costs besides; "" where it may be.
/// Cached input also below a 25th of input, unless the model's other sellers ask as little; where there are none below a 60th.
[[nodiscard]] std::string reason_of_new(const JudgedPrice& price, const PriceHistory& history, OtherSellers& sellers);

/// Why a curve of prices, a tariff or one of a grid's carbon is held; "" where it is not. `today` in days since 1970.
[[nodiscard]] std::string reason_of_curve(const storage::Snapshot& snapshot, const model::Curve& curve, double today);

/// As above, with the earlier document given rather than stored.
[[nodiscard]] std::string reason_of_level(const model::Curve& curve, const model::Curve& before);
template <class T> [[nodiscard]] std::string reason_of_facts(const T& before, const T& document);

/// Why single points of a curve are held, however true its mean and its last value are; "" where they aren't. Against what is
/// stored at the same place, where `stored` reaches it, and against the point before:
/// - of prices over date four times or a fourth, as spot prices move, by twice as much for each year between two points;
/// - of rates, times, efficiency, residuals, PUE and power about twice or half of what is stored, and four times or a fourth of the
///   point before (residuals may fall to nothing), of rates and times by as much more as the batch or the devices are more.
/// Power is 20,000 W at most, a host's. Tariffs, carbon and demand go by their hours and are judged as a whole.
[[nodiscard]] std::string reason_of_curve_points(const model::Curve& curve, const model::Curve* stored);

/// Why prices of a list's earlier days are held; `prices` are those of its last day, both by their keys. Reasons: a price is
/// about twice or half what is stored of the day before (spot: four times or a quarter); or where nothing is stored, it is as
/// far from the list's next price, with twice the room for each 90 days between the two; or it is a tenth or ten times what
/// other sellers ask.
[[nodiscard]] std::map<storage::DocumentKey, std::string> reasons_of_points(const storage::Snapshot& snapshot,
                                                                            const std::vector<JudgedPrice>& points,
                                                                            const std::vector<JudgedPrice>& prices,
                                                                            OtherSellers& sellers);

} // namespace costcurve::ingest
