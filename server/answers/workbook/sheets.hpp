// An Excel workbook (ECMA-376) written row by row: texts, numbers, dates and formulas with their values. Knows no scenario.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace costcurve::answers {

/// Excel's limits (support.microsoft.com, "Excel specifications and limits").
inline constexpr std::size_t kMaxSheetRows = 1'048'576;
inline constexpr std::size_t kMaxCellCharacters = 32'767;
inline constexpr std::size_t kMaxArguments = 255; ///< of a function
inline constexpr std::size_t kMaxFormulaCharacters = 8'192;

enum class CellStyle { plain, title, heading, note, money, price, number, month, input, fixed_input, count_ };

/// A sheet of a workbook; it is written from the first row to the last, within a row in any order. Rows and columns count from 0.
class Sheet {
public:
    /// Never a formula, whatever it begins with. What a cell can't hold is cut, with a word.
    void text(std::size_t row, std::size_t column, std::string_view text, CellStyle style = CellStyle::plain);
    void number(std::size_t row, std::size_t column, double value, CellStyle style = CellStyle::number);
    /// `formula` begins with =; `value` is what a reader that computes nothing shows. One of more than kMaxFormulaCharacters is
    /// written as its value.
    void formula(std::size_t row, std::size_t column, const std::string& formula, double value,
                 CellStyle style = CellStyle::number);
    /// The first day of a month, shown as 2027-03.
    void month(std::size_t row, std::size_t column, int year, int month);
    /// Level of the row's outline: rows of a higher one fold under it.
    void outline(std::size_t row, std::size_t level);
    void width(std::size_t column, double characters);
    /// Keeps the first rows in sight.
    void freeze(std::size_t rows);
    /// A number typed there that is not between the two is warned of.
    void range(std::size_t row, std::size_t column, double from, double to, std::string warning);
    /// Cells but those of the style `input` can't be changed until the sheet is unprotected, which takes no password.
    void lock();

private:
    friend class Workbook;
    Sheet(void* sheet, const std::vector<void*>& formats) : sheet_(sheet), formats_(formats) {}
    void* sheet_;
    const std::vector<void*>& formats_;
};

/// In memory: the same calls give the same bytes. Throws std::runtime_error where memory or descriptors lack.
class Workbook {
public:
    explicit Workbook(std::string_view title, std::string_view currency);
    ~Workbook();
    Workbook(const Workbook&) = delete;
    Workbook& operator=(const Workbook&) = delete;

    /// At most 31 characters, none of []:*?/\.
    [[nodiscard]] Sheet add_sheet(const std::string& name);
    /// A name that formulas may have in place of an address, such as `Inputs!$B$4`.
    void define_name(const std::string& name, const std::string& address);
    /// The file; nothing is added after it.
    [[nodiscard]] std::string finish();

private:
    struct File;
    std::unique_ptr<File> file_;
};

/// "A", "AB": a column's letters.
[[nodiscard]] std::string column_letters(std::size_t column);
/// "B5", with dollars "$B$5".
[[nodiscard]] std::string cell_address(std::size_t row, std::size_t column, bool is_absolute = false);
/// =SUM of cells, in as many SUMs as a function's arguments need.
[[nodiscard]] std::string sum_formula(const std::vector<std::string>& cells);

} // namespace costcurve::answers
