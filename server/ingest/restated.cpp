// Statements of a run that were stored already, a line of JSON each. One is applied where the result is a valid document.
#include "server/ingest/restated.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <nlohmann/json.hpp>

#include "server/documents/json/parsed_json.hpp"
#include "server/documents/records.hpp"
#include "server/ingest/undone_points.hpp"
#include "server/ingest/undone_record.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::ingest {

namespace {

using nlohmann::json;
using storage::Series;

std::optional<double> y_at(const Series* series, double x) {
    const auto found = series == nullptr ? std::vector<double>::const_iterator() : std::ranges::lower_bound(series->x, x);
    return series == nullptr || found == series->x.end() || *found != x
               ? std::nullopt
               : std::optional(series->y[static_cast<std::size_t>(found - series->x.begin())]);
}

// The members of both that are equal, and of objects theirs.
json common_members(const json& a, const json& b) {
    json common = json::object();
    for (const auto& [name, value] : a.items()) {
        const auto other = b.find(name);
        if (other == b.end()) {
            continue;
        }
        if (value == *other) {
            common[name] = value;
        } else if (value.is_object() && other->is_object()) {
            if (json part = common_members(value, *other); !part.empty()) {
                common[name] = std::move(part);
            }
        }
    }
    return common;
}

// Members that are stated and stand in `now`, put in again.
void put_in(json& body, const json& now, const json& stated) {
    for (const auto& [name, value] : stated.items()) {
        const auto current = now.find(name);
        if (current == now.end()) {
            continue;
        }
        if (*current == value) {
            body[name] = value;
        } else if (current->is_object() && value.is_object()) {
            json part = body.value(name, json::object());
            put_in(part, *current, value);
            if (part.is_object() && !part.empty()) {
                body[name] = std::move(part);
            }
        }
    }
}

// Members that are as stated, made what they are in `other`, or taken out.
void take_out(json& body, const json& other, const json& stated) {
    for (const auto& [name, value] : stated.items()) {
        const auto current = body.find(name);
        if (current == body.end()) {
            continue;
        }
        const auto instead = other.find(name);
        if (*current == value) {
            if (instead == other.end()) {
                body.erase(name);
            } else {
                *current = *instead;
            }
        } else if (current->is_object() && value.is_object()) {
            take_out(*current, instead == other.end() ? json::object() : *instead, value);
            if (current->empty() && instead == other.end()) {
                body.erase(name);
            }
        }
    }
}

// The points of a record by pointer, of which a statement's are set to what `value` gives, or taken out.
template <class Value>
std::vector<Series> series_with(const storage::Record& record, const Statement& statement, const Value& value) {
    std::map<std::string, std::map<double, double>> points;
    for (const Series& series : record.series) {
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            points[series.pointer][series.x[i]] = series.y[i];
        }
    }
    for (const Series& stated : statement.series) {
        for (std::size_t i = 0; i < stated.x.size(); ++i) {
            value(stated, i, points[stated.pointer]);
        }
    }
    std::vector<Series> found;
    for (const auto& [pointer, of_one] : points) {
        Series series{pointer, {}, {}};
        for (const auto& [x, y] : of_one) {
            series.x.push_back(x);
            series.y.push_back(y);
        }
        if (!series.x.empty()) {
            found.push_back(std::move(series));
        }
    }
    return found;
}

// Of places that have points, and no points of places that are gone.
storage::Record record_or(const storage::Record& otherwise, const json& body, std::vector<Series> series) {
    std::erase_if(series, [&](const Series& it) {
        const json::json_pointer place(it.pointer);
        return !body.contains(place) || !body.at(place).is_object();
    });
    return record_from(otherwise.key, body, std::move(series)).value_or(otherwise);
}

} // namespace

std::string restated_line(const storage::Record& stored, const storage::Record& given) {
    json body = json::object();
    if (stored.encoding == given.encoding && stored.body == given.body) {
        body = parse_json(given.body).value_or(json::object());
    } else if (const std::optional<storage::Record> today = of_today(stored)) {
        const auto before = parse_json(today->body);
        const auto now = parse_json(given.body);
        body = before && now ? common_members(*now, *before) : body;
    }
    json series = json::array();
    for (const Series& stated : given.series) {
        const Series* const before = series_of(stored, stated.pointer);
        json x = json::array();
        json y = json::array();
        for (std::size_t i = 0; i < stated.x.size(); ++i) {
            if (y_at(before, stated.x[i]) == stated.y[i]) {
                x.push_back(stated.x[i]);
                y.push_back(stated.y[i]);
            }
        }
        if (!x.empty()) {
            series.push_back({stated.pointer, std::move(x), std::move(y)});
        }
    }
    if (body.empty() && series.empty()) {
        return "";
    }
    return json{{"kind", storage::name_of(given.key.kind)},
                {"id", given.key.id},
                {"encoding", documents::kEncoding},
                {"body", std::move(body)},
                {"series", std::move(series)}}
               .dump() +
           '\n';
}

void read_restated(std::string_view lines, const std::function<bool(const storage::DocumentKey&)>& is_wanted,
                   Statements& statements) {
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        const auto read = parse_json(line);
        if (!read || read->value("encoding", 0) != documents::kEncoding) {
            continue;
        }
        const storage::DocumentKey key{storage::kind_of(read->at("kind").get<std::string>()), read->at("id").get<std::string>()};
        if (is_wanted && !is_wanted(key)) {
            continue;
        }
        Statement statement{read->at("body").dump(), {}};
        for (const json& series : read->at("series")) {
            statement.series.push_back(
                {series[0].get<std::string>(), series[1].get<std::vector<double>>(), series[2].get<std::vector<double>>()});
        }
        statements[key].push_back(std::move(statement));
    }
}

storage::Record with_statement(const storage::Record& record, const storage::Record& now, const Statement& statement) {
    const std::optional<storage::Record> today = of_today(record);
    const std::optional<storage::Record> now_today = of_today(now);
    if (!today || !now_today) {
        return record;
    }
    json body = *parse_json(today->body);
    put_in(body, *parse_json(now_today->body), *parse_json(statement.body));
    const auto put_point = [&](const Series& stated, std::size_t i, std::map<double, double>& points) {
        if (y_at(series_of(*now_today, stated.pointer), stated.x[i]) == stated.y[i]) {
            points[stated.x[i]] = stated.y[i];
        }
    };
    return record_or(record, body, series_with(*today, statement, put_point));
}

storage::Record without_statement(const storage::Record& record, const storage::Record& other, const Statement& statement) {
    const std::optional<storage::Record> today = of_today(record);
    const std::optional<storage::Record> instead = of_today(other);
    if (!today || !instead) {
        return record;
    }
    json body = *parse_json(today->body);
    take_out(body, *parse_json(instead->body), *parse_json(statement.body));
    const auto take_point = [&](const Series& stated, std::size_t i, std::map<double, double>& points) {
        const auto found = points.find(stated.x[i]);
        if (found == points.end() || found->second != stated.y[i]) {
            return;
        }
        if (const auto before = y_at(series_of(*instead, stated.pointer), stated.x[i])) {
            found->second = *before;
        } else {
            points.erase(found);
        }
    };
    return record_or(record, body, series_with(*today, statement, take_point));
}

} // namespace costcurve::ingest
