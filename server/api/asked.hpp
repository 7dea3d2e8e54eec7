// What every question about scenarios is asked of: which scenarios, with what changed in them, as of when.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/questions/alternatives.hpp"
#include "server/api/members.hpp"
#include "server/api/route.hpp"
#include "server/work/resolve.hpp"

namespace costcurve::api {

/// The most scenarios that one question compares.
inline constexpr std::size_t kMostCompared = 100;

/// Refers to the request's body, which outlives it.
struct Asked {
    struct Scenario {
        const nlohmann::json* json; ///< the scenario itself or a stored one's id
        std::string at;             ///< where it stands in the request
    };
    std::vector<Scenario> scenarios;
    const nlohmann::json* set = nullptr; ///< {JSON Pointer: value}, for all of them
    std::optional<std::string> as_of;
};

/// Adds the scenario that the member `name` is; an issue where it is none or isn't there.
void ask_one(Members& members, std::string_view name, Asked& asked);
/// Adds those of a list of `least` to kMostCompared; nothing where the member isn't there and `least` is 0.
void ask_several(Members& members, std::string_view name, std::size_t least, Asked& asked);
/// Reads `set` and `as_of`.
void ask_moment(Members& members, Asked& asked);

/// All of them from one snapshot, with the set put in; every issue at once. In one currency where `one_currency`.
[[nodiscard]] model::Result<std::vector<model::Placed>> resolve_all(const Asked& asked, work::Source& source,
                                                                    bool one_currency = true);

/// The same for a request: issues are a refusal.
[[nodiscard]] Attempt<std::vector<model::Placed>> resolve_asked(const Service& service, const Asked& asked,
                                                                bool one_currency = true);

/// 422 with these issues.
[[nodiscard]] tl::unexpected<Refusal> refused(model::Failure issues);

} // namespace costcurve::api
