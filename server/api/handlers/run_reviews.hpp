// Look-up of the run of a feed or import named in a path.
#pragma once

#include <string_view>

#include "server/api/problem.hpp"
#include "server/api/route.hpp"
#include "server/storage/feed.hpp"

namespace costcurve::api {

/// The run whose number is the path's last argument; 404 if the feed ("" for imports) has no such run.
[[nodiscard]] Attempt<storage::FeedRun> run_in_path(const Service& service, const Call& call, std::string_view feed);

} // namespace costcurve::api
