// Cells are padded by what they take on a terminal, not by their bytes.
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

std::string printable(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool c1 = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0; // U+0080 to U+009F
        if (c1) {
            text[i + 1] = '?';
        }
        if ((byte < 0x20 && byte != '\n') || byte == 0x7F || c1) {
            text[i] = '?';
        }
    }
    return text;
}

} // namespace costcurve::commands
