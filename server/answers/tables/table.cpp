// Converts JSON rows to cells. Columns keep the members' order; columns found in later rows are appended.
#include "server/answers/tables/table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace costcurve::answers {

namespace {

using Ordered = nlohmann::ordered_json;

bool is_scalar(const Ordered& value) { return !value.is_structured(); }

// One of the words of a text that are separated by blanks.
bool has_word(std::string_view words, std::string_view word) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (words.substr(0, end) == word) {
            return true;
        }
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return false;
}

std::string plain(const Ordered& value) {
    return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

// A list as one cell: scalars joined by semicolons, unless a text has one itself.
std::string list_cell(const Ordered& list) {
    const bool is_joined = std::all_of(list.begin(), list.end(), [](const Ordered& item) {
        return is_scalar(item) && (!item.is_string() || item.get_ref<const std::string&>().find(';') == std::string::npos);
    });
    if (!is_joined) {
        return csv_text(list.dump());
    }
    std::string text;
    for (const Ordered& item : list) {
        text += (text.empty() ? "" : ";") + plain(item);
    }
    const bool has_text = std::any_of(list.begin(), list.end(), [](const Ordered& item) { return item.is_string(); });
    return has_text ? csv_text(text) : text;
}

std::string cell(const Ordered& value) {
    return value.is_array() ? list_cell(value) : value.is_string() ? csv_text(value.get_ref<const std::string&>()) : plain(value);
}

} // namespace

std::string csv_text(std::string_view text) {
    const bool is_formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
    std::string guarded = (is_formula ? "'" : "") + std::string(text);
    if (guarded.find_first_of(",\"\r\n") == std::string::npos) {
        return guarded;
    }
    std::string quoted = "\"";
    for (const char c : guarded) {
        quoted.append(c == '"' ? 2 : 1, c);
    }
    return quoted + "\"";
}

// Walks from the answer's root to its rows, collecting the cells that precede each row's.
struct Table::Walk {
    Table& table;
    const TableRows& spec;
    std::vector<std::pair<std::size_t, std::string>> before = {};

    void go(const Ordered& value, std::string_view pointer, const Ordered* parent) {
        if (pointer.empty()) {
            add_rows(value, parent);
            return;
        }
        const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
        const std::string part(pointer.substr(1, end - 1));
        const std::string_view rest = pointer.substr(end);
        if (part != "*") {
            if (const auto found = value.find(part); found != value.end()) {
                go(*found, rest, &value);
            }
            return;
        }
        for (std::size_t i = 0; i < value.size(); ++i) {
            before.clear();
            if (!spec.number.empty()) {
                before.emplace_back(table.column(std::string(spec.number)), std::to_string(i));
            }
            go(value[i], rest, &value);
        }
    }

    void add_rows(const Ordered& rows, const Ordered* parent) {
        for (std::string_view words = spec.beside; parent != nullptr && !words.empty();) {
            const std::string name(words.substr(0, words.find(' ')));
            words.remove_prefix(std::min(name.size() + 1, words.size()));
            before.emplace_back(table.column(name), cell(parent->value(name, Ordered())));
        }
        for (const Ordered& row : rows) {
            std::vector<std::string>& cells = table.rows_.emplace_back();
            for (const auto& [place, text] : before) {
                put(cells, place, text);
            }
            for (const auto& [name, member] : row.items()) {
                if (!has_word(spec.without, name)) {
                    flatten(cells, name, member);
                }
            }
        }
    }

    void flatten(std::vector<std::string>& cells, const std::string& name, const Ordered& value) {
        if (!value.is_object()) {
            put(cells, table.column(name), cell(value));
            return;
        }
        for (const auto& [key, member] : value.items()) {
            flatten(cells, fmt::format("{}.{}", name, key), member);
        }
    }

    static void put(std::vector<std::string>& cells, std::size_t place, std::string text) {
        cells.resize(std::max(cells.size(), place + 1));
        cells[place] = std::move(text);
    }
};

Table::Table(const std::vector<std::string>& columns) {
    for (const std::string& name : columns) {
        static_cast<void>(column(name));
    }
}

std::size_t Table::column(const std::string& name) {
    const auto [place, is_new] = places_.emplace(name, names_.size());
    if (is_new) {
        names_.push_back(name);
    }
    return place->second;
}

// All columns except empty ones of objects that are null in some row: those objects' members have columns of their own.
std::vector<std::size_t> Table::columns_with_cells() const {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const std::string members = names_[i] + ".";
        const bool has_members = std::ranges::any_of(names_, [&](const std::string& name) { return name.starts_with(members); });
        const bool is_empty =
            std::ranges::all_of(rows_, [&](const std::vector<std::string>& row) { return i >= row.size() || row[i].empty(); });
        if (!has_members || !is_empty) {
            kept.push_back(i);
        }
    }
    return kept;
}

void Table::add(std::string_view answer, const TableRows& rows) {
    const Ordered root = Ordered::parse(answer);
    Walk{*this, rows}.go(root, rows.rows, nullptr);
    next_ = root.is_object() ? plain(root.value("next", Ordered())) : "";
}

std::string Table::csv() const {
    if (names_.empty()) {
        return "";
    }
    const std::vector<std::size_t> kept = columns_with_cells();
    std::string text;
    for (const std::size_t i : kept) {
        text += (text.empty() ? "" : ",") + csv_text(names_[i]);
    }
    text += "\r\n";
    for (const std::vector<std::string>& row : rows_) {
        for (const std::size_t i : kept) {
            text += i == kept.front() ? "" : ",";
            text += i < row.size() ? row[i] : "";
        }
        text += "\r\n";
    }
    return text;
}

} // namespace costcurve::answers
