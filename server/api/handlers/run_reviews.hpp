// The run of a feed or an import that a path names.
#pragma once

#include <string_view>

#include "server/api/problem.hpp"
#include "server/api/route.hpp"
#include "server/storage/feed.hpp"

namespace costcurve::api {

/// The path's last argument; a 404 where the feed ("" of imports) has no such run.
[[nodiscard]] Attempt<storage::FeedRun> run_in_path(const Service& service, const Call& call, std::string_view feed);

} // namespace costcurve::api
