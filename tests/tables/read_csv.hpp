// CSV as tests read it, strictly. No tests here.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace costcurve::tests {

using CsvRow = std::vector<std::string>;

// RFC 4180: records end in CRLF; a field in quotes may hold commas, line ends and doubled quotes. Throws at anything else.
[[nodiscard]] inline std::vector<CsvRow> read_csv(const std::string& text) {
    std::vector<CsvRow> rows;
    std::size_t at = 0;
    while (at < text.size()) {
        CsvRow row;
        for (bool more = true; more;) {
            std::string field;
            if (text.at(at) == '"') {
                for (++at; text.at(at) != '"' || (at + 1 < text.size() && text[at + 1] == '"'); ++at) {
                    field += text[at];
                    if (text[at] == '"') {
                        ++at;
                    }
                }
                ++at;
            } else {
                while (text.at(at) != ',' && text[at] != '\r') {
                    if (text[at] == '"' || text[at] == '\n') {
                        throw std::runtime_error("a bare quote or line feed");
                    }
                    field += text[at++];
                }
            }
            row.push_back(field);
            more = text.at(at) == ',';
            if (more) {
                ++at;
            } else if (text.substr(at, 2) != "\r\n") {
                throw std::runtime_error("a record does not end in CRLF");
            }
        }
        at += 2;
        rows.push_back(row);
    }
    return rows;
}

[[nodiscard]] inline std::size_t csv_column(const CsvRow& head, const std::string& name) {
    const auto found = std::find(head.begin(), head.end(), name);
    if (found == head.end()) {
        throw std::runtime_error("no column " + name);
    }
    return static_cast<std::size_t>(found - head.begin());
}

} // namespace costcurve::tests
