// Text tables: a block of columns, each as wide as its widest cell; numbers to the right, with thousands separated.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace costcurve::commands {

inline constexpr std::string_view kMissing = "—";

/// Fixed decimals, thousands separated by commas.
[[nodiscard]] std::string grouped(double value, int decimals);
/// Money of any size in about five digits; a dash where there is none.
[[nodiscard]] std::string money(std::optional<double> value);
[[nodiscard]] std::string percent(std::optional<double> fraction);
/// Any figure in five digits; a dash where there is none.
[[nodiscard]] std::string figure(std::optional<double> value);

/// Columns that a text takes on a terminal.
[[nodiscard]] std::size_t width(std::string_view text);

class Table {
public:
    /// A cell is one line: what would end it, or write to the terminal's state, is replaced.
    void row(std::vector<std::string> cells);
    [[nodiscard]] bool empty() const { return rows_.size() < 2; }

    /// The first column to the left, the others to the right; a rule under the first row.
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::vector<std::string>> rows_;
};

/// The text without control characters but line feeds: what a document says can't write to the terminal's state.
[[nodiscard]] std::string printable(std::string text);

/// The text as one line: a "�" for each run of control characters, line feeds too.
[[nodiscard]] std::string one_line(std::string_view text);

/// Below a ranking: that what leaves work undone is in it; "" where it is not.
[[nodiscard]] inline std::string ignored_text(bool ignore_unserved) {
    return ignore_unserved ? "  unserved work is ignored\n" : "";
}

} // namespace costcurve::commands
