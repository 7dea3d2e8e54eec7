// A progress bar on standard error, where that is a terminal; it is wiped away at its end.
#pragma once

#include <cstdint>
#include <string_view>

namespace costcurve::commands {

class Bar {
public:
    Bar();
    Bar(const Bar&) = delete;
    Bar& operator=(const Bar&) = delete;
    ~Bar();
    /// Drawn where it looks otherwise than before.
    void show(std::string_view what, std::uintmax_t done, std::uintmax_t total);

private:
    bool shown_;
    int percent_ = -1;
};

} // namespace costcurve::commands
