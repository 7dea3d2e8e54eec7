// Progress bar, drawn with escape sequences that every terminal has.
#include "server/commands/bar.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

namespace costcurve::commands {

Bar::Bar() : shown_(isatty(STDERR_FILENO) == 1) {}

Bar::~Bar() {
    if (percent_ >= 0) {
        fmt::print(stderr, "\r\x1b[K");
    }
}

void Bar::show(std::string_view what, std::uintmax_t done, std::uintmax_t total) {
    constexpr int kWidth = 40;
    const int percent = total == 0 ? 0 : static_cast<int>(std::min<std::uintmax_t>(done * 100 / total, 100));
    if (!shown_ || percent == percent_) {
        return;
    }
    percent_ = percent;
    const std::size_t filled = static_cast<std::size_t>(percent) * kWidth / 100;
    fmt::print(stderr, "\r\x1b[K[{}{}] {:3} % {}", std::string(filled, '#'), std::string(kWidth - filled, '.'), percent, what);
    std::fflush(stderr);
}

} // namespace costcurve::commands
