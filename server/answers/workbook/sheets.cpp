// Through libxlsxwriter, in constant memory: rows go to unnamed files in /dev/shm as they are written, the workbook to one in
// memory.
#include "server/answers/workbook/sheets.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <xlsxwriter.h>

namespace costcurve::answers {

namespace {

constexpr std::time_t kCreated = 946'684'800; // 2000-01-01: of all files, so that the same answer has the same bytes
constexpr std::string_view kCut = " … (cut: a cell holds 32,767 characters)";

struct StyleRow {
    CellStyle style;
    const char* format; ///< of numbers; null: General. {} is the currency
    bool is_bold;
    std::uint32_t color; ///< of the text; 0 is black
    std::uint32_t fill;  ///< 0 is none
};
constexpr auto kStyles = std::to_array<StyleRow>({
    {CellStyle::plain, nullptr, false, 0, 0},
    {CellStyle::title, nullptr, true, 0, 0},
    {CellStyle::heading, nullptr, true, 0, 0xE8ECF4},
    {CellStyle::note, nullptr, false, 0x57606A, 0},
    {CellStyle::money, "[${}] #,##0.00", false, 0, 0},
    {CellStyle::price, "[${}] #,##0.00########", false, 0, 0},
    {CellStyle::number, nullptr, false, 0, 0},
    {CellStyle::month, "yyyy-mm", false, 0, 0},
    {CellStyle::input, nullptr, false, 0x0B3FA8, 0xFFF8DC},
    {CellStyle::fixed_input, nullptr, false, 0x57606A, 0},
});
static_assert(kStyles.size() == static_cast<std::size_t>(CellStyle::count_));

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// A reader takes _x0041_ for A: the underscore is written as such (ECMA-376 part 1, 22.4.2.4).
bool is_escape(std::string_view text) {
    constexpr std::size_t kLength = 7;
    if (text.size() < kLength || text[0] != '_' || text[1] != 'x' || text[kLength - 1] != '_') {
        return false;
    }
    return is_hex(text[2]) && is_hex(text[3]) && is_hex(text[4]) && is_hex(text[5]);
}

std::size_t bytes_of_character(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
}

// As XML can hold it: other control characters and the two non-characters become U+FFFD. Excel counts UTF-16 units.
std::string cell_text(std::string_view text) {
    std::string out;
    std::size_t units = 0;
    while (!text.empty()) {
        const std::size_t bytes = std::min(bytes_of_character(text.front()), text.size());
        units += bytes == 4 ? 2 : 1;
        if (units > kMaxCellCharacters - kCut.size() && text.size() > kCut.size()) {
            return out.append(kCut);
        }
        const std::string_view character = text.substr(0, bytes);
        const bool is_control = bytes == 1 && static_cast<unsigned char>(text.front()) < 0x20 && text.front() != '\n';
        const bool is_none = character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
        out += is_control || is_none ? std::string_view("\xEF\xBF\xBD") : is_escape(text) ? std::string_view("_x005F_") : character;
        text.remove_prefix(bytes);
    }
    return out;
}

lxw_worksheet* sheet_at(void* sheet) { return static_cast<lxw_worksheet*>(sheet); }
lxw_row_t row_at(std::size_t row) { return static_cast<lxw_row_t>(row); }
lxw_col_t column_at(std::size_t column) { return static_cast<lxw_col_t>(column); }

void check(lxw_error error, std::string_view what) {
    if (error != LXW_NO_ERROR) {
        throw std::runtime_error(fmt::format("a workbook can't be written ({}): {}", what, lxw_strerror(error)));
    }
}

} // namespace

void Sheet::text(std::size_t row, std::size_t column, std::string_view text, CellStyle style) {
    auto* const format = static_cast<lxw_format*>(formats_[static_cast<std::size_t>(style)]);
    check(worksheet_write_string(sheet_at(sheet_), row_at(row), column_at(column), cell_text(text).c_str(), format), "text");
}

void Sheet::number(std::size_t row, std::size_t column, double value, CellStyle style) {
    auto* const format = static_cast<lxw_format*>(formats_[static_cast<std::size_t>(style)]);
    check(worksheet_write_number(sheet_at(sheet_), row_at(row), column_at(column), value, format), "number");
}

void Sheet::formula(std::size_t row, std::size_t column, const std::string& formula, double value, CellStyle style) {
    if (formula.size() > kMaxFormulaCharacters) {
        return number(row, column, value, style);
    }
    auto* const format = static_cast<lxw_format*>(formats_[static_cast<std::size_t>(style)]);
    check(worksheet_write_formula_num(sheet_at(sheet_), row_at(row), column_at(column), formula.c_str(), format, value), "formula");
}

void Sheet::month(std::size_t row, std::size_t column, int year, int month) {
    lxw_datetime day{year, month, 1, 0, 0, 0.0};
    auto* const format = static_cast<lxw_format*>(formats_[static_cast<std::size_t>(CellStyle::month)]);
    check(worksheet_write_datetime(sheet_at(sheet_), row_at(row), column_at(column), &day, format), "date");
}

void Sheet::outline(std::size_t row, std::size_t level) {
    constexpr std::size_t kMaxLevel = 7;
    lxw_row_col_options options{};
    options.level = static_cast<std::uint8_t>(std::min(level, kMaxLevel));
    check(worksheet_set_row_opt(sheet_at(sheet_), row_at(row), LXW_DEF_ROW_HEIGHT, nullptr, &options), "outline");
}

void Sheet::width(std::size_t column, double characters) {
    check(worksheet_set_column(sheet_at(sheet_), column_at(column), column_at(column), characters, nullptr), "width");
}

void Sheet::freeze(std::size_t rows) { worksheet_freeze_panes(sheet_at(sheet_), row_at(rows), 0); }

void Sheet::range(std::size_t row, std::size_t column, double from, double to, std::string warning) {
    lxw_data_validation rule{};
    rule.validate = LXW_VALIDATION_TYPE_DECIMAL;
    rule.criteria = LXW_VALIDATION_CRITERIA_BETWEEN;
    rule.minimum_number = from;
    rule.maximum_number = to;
    rule.error_type = LXW_VALIDATION_ERROR_TYPE_WARNING;
    rule.error_message = warning.data(); // the library takes no const
    check(worksheet_data_validation_cell(sheet_at(sheet_), row_at(row), column_at(column), &rule), "range");
}

void Sheet::lock() {
    lxw_protection options{};
    options.format_cells = options.format_columns = options.format_rows = LXW_TRUE;
    worksheet_protect(sheet_at(sheet_), nullptr, &options);
}

struct Workbook::File {
    int descriptor = -1;
    lxw_workbook* workbook = nullptr;
    std::vector<void*> formats;

    ~File() {
        if (workbook != nullptr) {
            lxw_workbook_free(workbook);
        }
        if (descriptor >= 0) {
            close(descriptor);
        }
    }
};

Workbook::Workbook(std::string_view title, std::string_view currency) : file_(std::make_unique<File>()) {
    file_->descriptor = memfd_create("workbook", MFD_CLOEXEC);
    if (file_->descriptor < 0) {
        throw std::runtime_error("a workbook can't be written: no descriptor is left");
    }
    static char temporary[] = "/dev/shm"; // the library takes no const
    lxw_workbook_options options{};
    options.constant_memory = LXW_TRUE;
    options.tmpdir = access(temporary, W_OK) == 0 ? temporary : nullptr;
    file_->workbook = workbook_new_opt(fmt::format("/proc/self/fd/{}", file_->descriptor).c_str(), &options);
    if (file_->workbook == nullptr) {
        throw std::bad_alloc();
    }
    for (const StyleRow& row : kStyles) {
        lxw_format* const format = workbook_add_format(file_->workbook);
        if (row.format != nullptr) {
            format_set_num_format(format, fmt::format(fmt::runtime(row.format), currency).c_str());
        }
        if (row.is_bold) {
            format_set_bold(format);
        }
        if (row.color != 0) {
            format_set_font_color(format, row.color);
        }
        if (row.fill != 0) {
            format_set_bg_color(format, row.fill);
        }
        if (row.style == CellStyle::input) {
            format_set_unlocked(format);
        }
        file_->formats.push_back(format);
    }
    std::string name = cell_text(title.substr(0, 200));
    lxw_doc_properties properties{};
    properties.title = name.data();
    properties.created = kCreated;
    check(workbook_set_properties(file_->workbook, &properties), "properties");
}

Workbook::~Workbook() = default;

Sheet Workbook::add_sheet(const std::string& name) {
    lxw_worksheet* const sheet = workbook_add_worksheet(file_->workbook, name.c_str());
    if (sheet == nullptr) {
        throw std::runtime_error("a workbook can't be written: no sheet " + name);
    }
    return {sheet, file_->formats};
}

void Workbook::define_name(const std::string& name, const std::string& address) {
    check(workbook_define_name(file_->workbook, name.c_str(), ("=" + address).c_str()), "name " + name);
}

std::string Workbook::finish() {
    static std::mutex one_at_a_time; // the library reads the date of creation through gmtime
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    check(workbook_close(std::exchange(file_->workbook, nullptr)), "file");
    const off_t size = lseek(file_->descriptor, 0, SEEK_END);
    std::string bytes(static_cast<std::size_t>(std::max<off_t>(size, 0)), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got = pread(file_->descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
        if (got <= 0) {
            throw std::runtime_error("a workbook can't be read back");
        }
        done += static_cast<std::size_t>(got);
    }
    return bytes;
}

std::string column_letters(std::size_t column) {
    constexpr std::size_t kLetters = 26;
    std::string letters;
    for (std::size_t rest = column + 1; rest > 0; rest = (rest - 1) / kLetters) {
        letters.insert(letters.begin(), static_cast<char>('A' + (rest - 1) % kLetters));
    }
    return letters;
}

std::string cell_address(std::size_t row, std::size_t column, bool is_absolute) {
    return is_absolute ? fmt::format("${}${}", column_letters(column), row + 1)
                       : fmt::format("{}{}", column_letters(column), row + 1);
}

std::string sum_formula(const std::vector<std::string>& cells) {
    const auto joined = [&](std::size_t from, std::size_t to) {
        std::string text;
        for (std::size_t i = from; i < to; ++i) {
            text += (text.empty() ? "" : ",") + cells[i];
        }
        return "SUM(" + text + ")";
    };
    std::string text;
    for (std::size_t from = 0; from < cells.size(); from += kMaxArguments) {
        text += (text.empty() ? "=" : "+") + joined(from, std::min(from + kMaxArguments, cells.size()));
    }
    return text.empty() ? "=0" : text;
}

} // namespace costcurve::answers
