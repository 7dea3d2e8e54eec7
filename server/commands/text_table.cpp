// Text tables, padded by display width and not by bytes.
#include "server/commands/text_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace costcurve::commands {

// Columns on a terminal, not bytes: continuation bytes of UTF-8 take no room.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string grouped(double value, int decimals) {
    std::string text = fmt::format("{:.{}f}", std::fabs(value), decimals);
    const std::size_t point = std::min(text.find('.'), text.size());
    for (std::size_t at = point; at > 3; at -= 3) {
        text.insert(at - 3, ",");
    }
    return value < 0 ? "-" + text : text;
}

std::string money(std::optional<double> value) {
    if (!value) {
        return std::string(kMissing);
    }
    const double size = std::fabs(*value);
    if (size >= 1000 || size == 0) {
        return grouped(*value, 0);
    }
    if (size >= 1) {
        return grouped(*value, 2);
    }
    if (size >= 0.001) {
        return fmt::format("{:.5f}", *value);
    }
    return fmt::format("{:.3e}", *value);
}

std::string percent(std::optional<double> fraction) {
    return fraction ? fmt::format("{:.1f} %", 100 * *fraction) : std::string(kMissing);
}

std::string figure(std::optional<double> value) { return value ? fmt::format("{:.5g}", *value) : std::string(kMissing); }

void Table::row(std::vector<std::string> cells) {
    for (std::string& cell : cells) {
        cell = one_line(cell);
    }
    rows_.push_back(std::move(cells));
}

std::string Table::text() const {
    std::vector<std::size_t> widths;
    for (const auto& cells : rows_) {
        widths.resize(std::max(widths.size(), cells.size()));
        for (std::size_t c = 0; c < cells.size(); ++c) {
            widths[c] = std::max(widths[c], width(cells[c]));
        }
    }
    std::string out;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        std::string line = "  ";
        for (std::size_t c = 0; c < rows_[r].size(); ++c) {
            const std::string space(widths[c] - width(rows_[r][c]), ' ');
            line += c == 0 ? rows_[r][c] + space : "  " + space + rows_[r][c];
        }
        out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        if (r == 0) {
            std::size_t total = 2 * (widths.size() - 1);
            for (const std::size_t w : widths) {
                total += w;
            }
            out += "  ";
            for (std::size_t i = 0; i < total; ++i) {
                out += "─";
            }
            out += "\n";
        }
    }
    return out;
}

namespace {

// The bytes of the control character that the text begins with; 0 where it begins with none. U+0080 to U+009F take two.
std::size_t control_bytes(std::string_view text) {
    const auto byte = static_cast<unsigned char>(text.front());
    if (byte == 0xC2 && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xA0) {
        return 2;
    }
    return byte < 0x20 || byte == 0x7F ? 1 : 0;
}

} // namespace

std::string printable(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        for (std::size_t n = text[i] == '\n' ? 0 : control_bytes(std::string_view(text).substr(i)); n > 0; --n) {
            text[i + n - 1] = '?';
        }
    }
    return text;
}

std::string one_line(std::string_view text) {
    std::string line;
    bool in_run = false;
    while (!text.empty()) {
        const std::size_t control = control_bytes(text);
        if (control == 0) {
            line += text.front();
        } else if (!in_run) {
            line += "\uFFFD";
        }
        in_run = control > 0;
        text.remove_prefix(std::max<std::size_t>(control, 1));
    }
    return line;
}

} // namespace costcurve::commands
