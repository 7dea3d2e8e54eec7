// Parses a mapping of columns (YAML), key by key.
#include "server/import/columns/mapping.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/import/text/yaml.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

HardError wrong(const YAML::Node& node, std::string_view message) {
    return hard_error(Code::bad_format, 0, fmt::format("mapping, line {}: {}", yaml_line(node), message));
}

HardError add_constant(const std::string& field, const YAML::Node& value, Mapping& mapping) {
    if (!value.IsScalar()) {
        return wrong(value, fmt::format("{} takes one text or number", field));
    }
    FieldSource source;
    source.field = field;
    source.constant = value.Scalar();
    source.line = yaml_line(value);
    mapping.sources.push_back(std::move(source));
    return std::nullopt;
}

HardError add_default(const std::string& field, const YAML::Node& value, Mapping& mapping) {
    HardError error = add_constant(field, value, mapping);
    if (!error) {
        mapping.sources.back().is_default = true;
    }
    return error;
}

HardError add_column(const std::string& field, const YAML::Node& value, Mapping& mapping) {
    FieldSource source;
    source.field = field;
    source.line = yaml_line(value);
    if (value.IsScalar()) {
        source.column = value.Scalar();
    } else {
        source.column = yaml_text(value, "column");
        source.unit = yaml_text(value, "unit");
        source.text = yaml_text(value, "text");
    }
    const std::size_t known = 1U + (source.unit.empty() ? 0U : 1U) + (source.text.empty() ? 0U : 1U);
    if (source.column.empty() || (value.IsMap() && value.size() != known)) {
        return wrong(value, fmt::format("{} takes a column's name, or {{column: NAME, unit: UNIT, text: TEXT}}", field));
    }
    if (!source.text.empty() && source.text.find("{}") == std::string::npos) {
        return wrong(value, fmt::format("the text of {} is \"{}\"; write {{}} where the cell's text goes", field, source.text));
    }
    mapping.sources.push_back(std::move(source));
    return std::nullopt;
}

HardError add_skipped(const std::string& column, const YAML::Node& value, Mapping& mapping) {
    SkippedRows skipped{column, {}};
    if (value.IsScalar()) {
        skipped.texts.insert(value.Scalar());
    } else {
        for (const YAML::Node& text : value) {
            skipped.texts.insert(text.IsScalar() ? text.Scalar() : "");
        }
    }
    mapping.skip.push_back(std::move(skipped));
    return std::nullopt;
}

template <class Add> HardError each_entry(const YAML::Node& map, Mapping& mapping, const Add& add) {
    if (!map.IsMap()) {
        return wrong(map, "names with what fills them are needed");
    }
    for (const auto& entry : map) {
        const std::string& name = entry.first.Scalar();
        if (HardError error = add(name, yaml_member(map, name.c_str()), mapping)) {
            return error;
        }
    }
    return std::nullopt;
}

HardError read_id(const YAML::Node& list, Mapping& mapping) {
    for (const YAML::Node& node : list) {
        IdPart part;
        if (node.IsScalar()) {
            part.fields.push_back(node.Scalar());
        } else if (node.IsMap()) {
            part.text = yaml_text(node, "text");
        } else {
            for (const YAML::Node& field : node) {
                part.fields.push_back(field.IsScalar() ? field.Scalar() : "");
            }
        }
        if (part.fields.empty() && part.text.empty()) {
            return wrong(node,
                         "a part of the id is a field, a list of fields of which the first with a text counts, or {text: TEXT}");
        }
        mapping.id.push_back(std::move(part));
    }
    return mapping.id.empty() ? wrong(list, "id is a list of fields, such as [provider, sku, region]") : std::nullopt;
}

struct KeyRow {
    const char* key;
    HardError (*read)(const YAML::Node& value, Mapping& mapping);
};
constexpr auto kKeys = std::to_array<KeyRow>({
    {"kind",
     [](const YAML::Node& value, Mapping& mapping) -> HardError {
         mapping.kind = value.IsScalar() ? value.Scalar() : "";
         return std::nullopt;
     }},
    {"constants", [](const YAML::Node& value, Mapping& mapping) { return each_entry(value, mapping, add_constant); }},
    {"defaults", [](const YAML::Node& value, Mapping& mapping) { return each_entry(value, mapping, add_default); }},
    {"columns", [](const YAML::Node& value, Mapping& mapping) { return each_entry(value, mapping, add_column); }},
    {"entry",
     [](const YAML::Node& value, Mapping& mapping) -> HardError {
         mapping.entry = value.IsScalar() ? value.Scalar() : "";
         return std::nullopt;
     }},
    {"dates",
     [](const YAML::Node& value, Mapping& mapping) -> HardError {
         mapping.dates = value.IsScalar() ? value.Scalar() : "";
         return std::nullopt;
     }},
    {"id", read_id},
    {"skip", [](const YAML::Node& value, Mapping& mapping) { return each_entry(value, mapping, add_skipped); }},
    {"ignore",
     [](const YAML::Node& value, Mapping& mapping) -> HardError {
         for (const YAML::Node& column : value) {
             mapping.ignore.push_back(column.IsScalar() ? column.Scalar() : "");
         }
         return value.IsSequence() ? std::nullopt : wrong(value, "ignore is a list of columns");
     }},
});

std::string key_names() {
    std::vector<std::string_view> names;
    names.reserve(kKeys.size());
    for (const KeyRow& row : kKeys) {
        names.emplace_back(row.key);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

const FieldSource* source_of_field(const Mapping& mapping, std::string_view field) {
    const auto found = std::ranges::find(mapping.sources, field, &FieldSource::field);
    return found == mapping.sources.end() ? nullptr : &*found;
}

HardError check(const YAML::Node& root, const Mapping& mapping) {
    for (const FieldSource& source : mapping.sources) {
        if (source_of_field(mapping, source.field) != &source) {
            return hard_error(Code::duplicate, 0, fmt::format("mapping, line {}: {} is filled twice", source.line, source.field));
        }
    }
    return mapping.id.empty() ? wrong(root, "an id is needed: a list of fields, such as [provider, sku, region]") : std::nullopt;
}

} // namespace

HardError read_mapping(std::string_view text, Mapping& mapping) {
    Bytes bytes(text);
    return read_yaml(bytes, [&](const YAML::Node& root) -> HardError {
        if (!root.IsMap()) {
            return wrong(root, fmt::format("a mapping has {}", key_names()));
        }
        for (const auto& entry : root) {
            const std::string& key = entry.first.Scalar();
            if (std::ranges::none_of(kKeys, [&](const KeyRow& row) { return row.key == key; })) {
                return wrong(entry.first, fmt::format("there is no {}; a mapping has {}", key, key_names()));
            }
        }
        for (const KeyRow& row : kKeys) {
            const YAML::Node value = yaml_member(root, row.key);
            if (HardError error = value.IsDefined() ? row.read(value, mapping) : std::nullopt) {
                return error;
            }
        }
        return check(root, mapping);
    });
}

} // namespace costcurve::imports
