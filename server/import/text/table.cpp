// Tables of delimited text, split by libcsv; a block's cells share one buffer.
#include "server/import/text/table.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <csv.h>
#include <fmt/format.h>

#include "server/import/text/marks.hpp"
#include "server/import/text/unread_fields.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

constexpr std::size_t kMaxColumns = 4096;
constexpr std::size_t kMaxHeader = 65536; // bytes, in which the delimiter is looked for

// Column names as they are compared: lower case, letters and digits alone.
std::string folded(std::string_view name) {
    std::string text;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (c >= 'A' && c <= 'Z') {
            text += static_cast<char>(c - 'A' + 'a');
        } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || byte >= 0x80 || c == '#' || c == '@' || c == '%') {
            text += c;
        }
    }
    return text;
}

// libcsv grows a cell through this: no cell becomes longer than the longest line.
void* grow_up_to_the_longest(void* memory, std::size_t size) { return size > kMaxLine ? nullptr : std::realloc(memory, size); }

struct Record {
    std::size_t row = 0;
    std::size_t first_cell = 0;
    std::size_t cells = 0;
};

} // namespace

struct Table::Impl {
    explicit Impl(Bytes& the_bytes) : bytes(the_bytes) {
        csv_init(&parser, CSV_REPALL_NL);
        csv_set_realloc_func(&parser, grow_up_to_the_longest);
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() { csv_free(&parser); }

    Bytes& bytes;
    csv_parser parser{};
    std::string first; // block of the file
    char delimiter = ',';
    bool started = false;
    bool ended = false;
    bool after_cr = false; // a line feed that follows belongs to the record that the parser is in
    bool allows_surplus = false;
    bool has_marks = false;
    DecimalMarks marks; // of the first block of numbers
    std::string currency;
    HardError error;
    std::vector<std::string> header;
    std::vector<std::string> folded_header;
    mutable std::vector<bool> asked;     // by column: a reader looked for it, or at it
    std::vector<std::size_t> with_value; // records, of columns that nobody has asked for yet

    std::string cells; // of the block's records, one after the other
    std::vector<std::size_t> ends;
    std::vector<Record> records;
    std::size_t at = 0; // the record that is read, plus 1

    Record open;         // the record that the parser is in
    std::size_t row = 1; // it begins on this one

    static void on_cell(void* text, std::size_t size, void* self) {
        Impl& impl = *static_cast<Impl*>(self);
        impl.after_cr = false;
        if (impl.open.cells == 0) {
            impl.open.row = impl.row;
            impl.open.first_cell = impl.ends.size();
        }
        if (impl.open.cells < kMaxColumns) {
            impl.cells.append(static_cast<const char*>(text), size);
            impl.ends.push_back(impl.cells.size());
        }
        ++impl.open.cells;
    }

    static void on_end(int terminator, void* self) {
        Impl& impl = *static_cast<Impl*>(self);
        impl.end_record();
        const bool second = terminator == '\n' && impl.after_cr;
        impl.after_cr = terminator == '\r';
        impl.row += second ? 0 : 1;
    }

    void end_record() {
        if (open.cells > kMaxColumns) {
            fail(model::Code::too_large, open.row, fmt::format("it has {} cells; allowed up to {}", open.cells, kMaxColumns));
        } else if (open.cells > 0) {
            records.push_back(open);
        }
        open = {};
    }

    void fail(model::Code code, std::size_t where, std::string_view message) {
        if (!error) {
            error = hard_error(code, where, message);
        }
        ended = true;
    }

    // Replaces the block's records by those of the next block that ends any.
    void read_block() {
        keep_open_record();
        while (records.empty() && !ended) {
            const std::string_view block = started ? bytes.next() : first_block();
            started = true;
            if (block.empty()) {
                finish();
                return;
            }
            if (csv_parse(&parser, block.data(), block.size(), on_cell, on_end, this) != block.size()) {
                fail(model::Code::too_large, row,
                     fmt::format("a cell is longer than {} bytes; is a quote never closed?", kMaxLine));
            } else if (cells.size() > block.size() + kMaxLine) {
                fail(model::Code::too_large, row, fmt::format("the line is longer than {} bytes", kMaxLine));
            }
        }
    }

    // The file up to the end of its first line at least, which names the delimiter; valid until the next call.
    std::string_view first_block() {
        bool whole = false;
        while (!whole && first.size() < kMaxHeader) {
            const std::string_view block = bytes.next();
            first += block;
            if (block.empty() || first.size() >= kMaxHeader || block.find_first_of("\r\n") != std::string_view::npos) {
                delimiter = delimiter_of(first, whole);
            }
            whole = whole || block.empty();
        }
        csv_set_delim(&parser, static_cast<unsigned char>(delimiter));
        return first;
    }

    // Forgets the block's records and moves the begun one to the front.
    void keep_open_record() {
        records.clear();
        at = 0;
        if (open.cells == 0) {
            cells.clear();
            ends.clear();
            return;
        }
        const std::size_t begin = open.first_cell == 0 ? 0 : ends[open.first_cell - 1];
        cells.erase(0, begin);
        ends.erase(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(open.first_cell));
        for (std::size_t& end : ends) {
            end -= begin;
        }
        open.first_cell = 0;
    }

    void finish() {
        csv_set_opts(&parser, CSV_STRICT | CSV_STRICT_FINI); // strict at the end alone: a bare cell may have quotes in it
        if (bytes.error()) {
            error = bytes.error();
        } else if (csv_fini(&parser, on_cell, on_end, this) != 0) {
            fail(model::Code::bad_format, row, "a quote that opens here or above is never closed");
        }
        ended = true;
    }

    bool next_record() {
        while (at == records.size()) {
            if (ended) {
                return false;
            }
            read_block();
        }
        if (error) {
            return false;
        }
        ++at;
        return true;
    }

    [[nodiscard]] const Record& record() const { return records[at - 1]; }
    [[nodiscard]] std::string_view cell(std::size_t index) const { return cell(record(), index); }
    [[nodiscard]] std::string_view cell(const Record& one, std::size_t index) const {
        const std::size_t place = one.first_cell + index;
        const std::size_t begin = place == 0 ? 0 : ends[place - 1];
        return std::string_view(cells).substr(begin, ends[place] - begin);
    }
    [[nodiscard]] std::string_view whole_record() const {
        const Record& one = record();
        const std::size_t begin = one.first_cell == 0 ? 0 : ends[one.first_cell - 1];
        return std::string_view(cells).substr(begin, ends[one.first_cell + one.cells - 1] - begin);
    }
    [[nodiscard]] bool is_blank() const { return record().cells == 1 && cell(0).empty(); }
    bool check_encoding() {
        // Validates all cells at once; cells must not begin inside a character.
        bool good = is_utf8(whole_record());
        for (std::size_t i = 0; good && i < record().cells; ++i) {
            const std::string_view text = cell(i);
            good = text.empty() || (static_cast<unsigned char>(text.front()) & 0xC0U) != 0x80U;
        }
        if (!good) {
            fail(model::Code::bad_format, record().row, "it is not UTF-8; save the file as UTF-8");
            return false;
        }
        return true;
    }

    DecimalMark mark_of(Column column) {
        if (delimiter != ';' || !column) {
            return DecimalMark::point;
        }
        for (const Record& one : std::exchange(has_marks, true) ? std::vector<Record>() : records) {
            for (std::size_t i = 0; i < one.cells; ++i) {
                marks.add(i, cell(one, i));
            }
        }
        return marks.of(static_cast<std::size_t>(column.index));
    }

    void ask(std::size_t column) const {
        asked.resize(std::max(asked.size(), header.size()));
        if (column < asked.size()) {
            asked[column] = true;
        }
    }
    void count_values() {
        with_value.resize(header.size());
        asked.resize(std::max(asked.size(), header.size()));
        for (std::size_t i = 0; i < std::min(header.size(), record().cells); ++i) {
            with_value[i] += !asked[i] && !cell(i).empty() ? 1U : 0U;
        }
    }
    void read_header() {
        if (!header.empty() || error) {
            return;
        }
        do {
            if (!next_record()) {
                fail(model::Code::bad_format, 0, "the file is empty: a line of column names is needed");
                return;
            }
        } while (is_blank());
        if (!check_encoding()) {
            return;
        }
        for (std::size_t i = 0; i < record().cells; ++i) {
            header.emplace_back(cell(i));
            folded_header.push_back(folded(header.back()));
        }
    }
};

Table::Table(Bytes& bytes, std::initializer_list<std::string_view> headers) : impl_(std::make_unique<Impl>(bytes)) {
    for (const std::string_view name : headers) {
        impl_->header.emplace_back(name);
        impl_->folded_header.push_back(folded(name));
    }
}
Table::~Table() {
    if (UnreadFields* const fields = UnreadFields::current()) {
        for (std::size_t i = 0; i < impl_->with_value.size(); ++i) {
            fields->find(impl_->header[i], impl_->asked[i] ? 0 : impl_->with_value[i]);
        }
    }
}

Column Table::column(std::initializer_list<std::string_view> names) {
    impl_->read_header();
    const std::vector<std::string>& all = impl_->folded_header;
    for (const std::string_view name : names) {
        const auto found = std::find(all.begin(), all.end(), folded(name));
        if (found != all.end()) {
            if (const auto again = std::find(found + 1, all.end(), *found); again != all.end()) {
                const auto at = [&](auto place) { return static_cast<std::size_t>(place - all.begin()); };
                fail(model::Code::bad_format, 1,
                     fmt::format("columns {} and {} are both named {} ({}); remove one, or name it differently", at(found) + 1,
                                 at(again) + 1, impl_->header[at(found)], impl_->header[at(again)]));
            }
            impl_->ask(static_cast<std::size_t>(found - all.begin()));
            return {static_cast<int>(found - all.begin())};
        }
    }
    return {};
}

Column Table::column_that_begins(std::string_view name) {
    impl_->read_header();
    const std::vector<std::string>& all = impl_->folded_header;
    const auto found = std::find_if(all.begin(), all.end(), [&](const std::string& one) { return one.starts_with(folded(name)); });
    return found == all.end() ? Column{} : Column{static_cast<int>(found - all.begin())};
}

const std::vector<std::string>& Table::header() {
    impl_->read_header();
    return impl_->header;
}

bool Table::require(std::initializer_list<std::string_view> names) {
    std::string missing;
    for (const std::string_view name : names) {
        if (!column(name)) {
            missing += (missing.empty() ? "" : ", ") + std::string(name);
        }
    }
    if (!missing.empty()) {
        fail(model::Code::missing, 1, fmt::format("the header has no column named {}", missing));
    }
    return !impl_->error;
}

bool Table::next() {
    impl_->read_header();
    while (!impl_->error && impl_->next_record()) {
        if (!impl_->is_blank()) {
            if (UnreadFields::current() != nullptr) {
                impl_->count_values();
            }
            return impl_->check_encoding();
        }
    }
    return false;
}

std::size_t Table::row() const { return impl_->record().row; }
std::size_t Table::width() const { return impl_->record().cells; }

void Table::allow_surplus(std::string_view last_column) {
    impl_->read_header();
    impl_->allows_surplus = !impl_->header.empty() && impl_->folded_header.back() == folded(last_column);
}

std::string Table::reason_of_surplus() const {
    const std::size_t named = impl_->header.size();
    for (std::size_t i = named; i < width() && !impl_->allows_surplus; ++i) {
        if (!impl_->cell(i).empty()) {
            return fmt::format("it has {} cells, and the header {}: put a text or number with a comma in quotes", width(), named);
        }
    }
    return "";
}

std::string_view Table::text(Column column) const {
    if (!column || static_cast<std::size_t>(column.index) >= width()) {
        return {};
    }
    impl_->ask(static_cast<std::size_t>(column.index));
    std::string_view cell = impl_->cell(static_cast<std::size_t>(column.index));
    while (cell.starts_with(' ')) { // within quotes: the parser has removed others
        cell.remove_prefix(1);
    }
    while (cell.ends_with(' ')) {
        cell.remove_suffix(1);
    }
    return cell;
}

void Table::set_currency(std::string_view currency) { impl_->currency = currency; }

Number Table::number(Column column) const {
    return in_currency(parse_number(text(column), impl_->mark_of(column)), impl_->currency);
}

Number Table::amount(Column column) const {
    const DecimalMark mark = impl_->mark_of(column);
    return in_currency(parse_number(text(column), mark == DecimalMark::point ? DecimalMark::unsaid : mark), impl_->currency);
}

std::string Table::shown(Column column) const {
    const std::string_view unclear = amount(column).unclear;
    return unclear.empty() ? std::string(text(column)) : fmt::format("{} ({})", text(column), unclear);
}

HardError Table::error() const { return impl_->error; }
void Table::fail(model::Code code, std::size_t row, std::string_view message) { impl_->fail(code, row, message); }

} // namespace costcurve::imports
