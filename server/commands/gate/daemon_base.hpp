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

/// Of `https://HOST[:PORT][/PATH][?as_of=MOMENT]`; plain http is taken of localhost, 127.0.0.1 and [::1] alone, as a key is sent.
/// Fails at `--against` where it is none of these, or has a user or a password.
[[nodiscard]] model::Result<DaemonAddress> read_daemon(const std::string& text);

/// What the daemon's scenario of this id costs a month there; nothing where it has none. A daemon of another version of the model
/// is a base with a problem: the figures of two versions are not compared. Fails where the daemon can't be reached within 30 s,
/// refuses, redirects (which is not followed) or answers no result.
[[nodiscard]] model::Result<std::optional<gate::Base>> ask_base(const DaemonAddress& daemon, const std::string& id);

} // namespace costcurve::commands
