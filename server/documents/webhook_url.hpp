// The URLs of webhooks: which can be called, which lead to private addresses, and how they are shown.
#pragma once

#include <string>
#include <string_view>

namespace costcurve::documents {

/// What is wrong with the URL of a webhook: a sentence; "" where nothing is.
[[nodiscard]] std::string wrong_with_url(const std::string& url);

/// What its host is where it is an address that is not public, or a name of this machine: "a loopback", "a private" …; "" of any
/// other name, which leads somewhere only when it is looked up.
[[nodiscard]] std::string_view private_host(const std::string& url);

/// The URL without what follows the host: to some receivers the rest is a password.
[[nodiscard]] std::string hidden_url(const std::string& url);

} // namespace costcurve::documents
