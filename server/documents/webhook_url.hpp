// URLs of webhooks: validity, detection of private addresses, and display.
#pragma once

#include <string>
#include <string_view>

namespace costcurve::documents {

/// Error in a webhook's URL as a sentence; "" if it is valid.
[[nodiscard]] std::string wrong_with_url(const std::string& url);

/// Kind of the URL's host if it isn't public: "a loopback", "a private" …, also for names of this machine; "" for any other name,
/// which is only checked when it is resolved.
[[nodiscard]] std::string_view private_host(const std::string& url);

/// The URL without what follows the host: to some receivers the rest is a password.
[[nodiscard]] std::string hidden_url(const std::string& url);

} // namespace costcurve::documents
