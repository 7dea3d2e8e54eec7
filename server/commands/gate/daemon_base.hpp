// The base of a gate as a running daemon computes it: one request for each scenario, to one address, with one key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/gate/judge.hpp"

namespace costcurve::commands {

/// Where a daemon answers.
struct DaemonAddress {
    std::string url;   ///< without a slash at its end
    std::string as_of; ///< a time of RFC 3339, or @42; "" for now
    std::string key;   ///< of the environment, COSTCURVE_KEY; "" of none. Never printed
};

/// Parses `https://HOST[:PORT][/PATH][?as_of=MOMENT]`. Because a key is sent, plain http is accepted only for localhost, 127.0.0.1
/// and [::1]. Fails at `--against` for any other form, or if there is a user or password.
[[nodiscard]] model::Result<DaemonAddress> read_daemon(const std::string& text);

/// Monthly cost of the daemon's scenario with this id; nothing if the daemon has none. A daemon with another model version gives a
/// base with a problem, because figures of two versions aren't compared. Fails if the daemon can't be reached within 30 s, refuses,
/// redirects (not followed) or doesn't answer a result.
[[nodiscard]] model::Result<std::optional<gate::Base>> ask_base(const DaemonAddress& daemon, const std::string& id);

} // namespace costcurve::commands
