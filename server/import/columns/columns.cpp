// Reads tables by a mapping of their columns: one document per row. Rows with the same id form one document with prices by date.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/import/columns/document_kinds.hpp"
#include "server/import/columns/fill_field.hpp"
#include "server/import/columns/mapping.hpp"
#include "server/import/columns/units.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

// A source whose field has been found in the document, with its column in the current table.
struct Filler {
    const FieldSource* source;
    std::vector<std::string> path;
    UnitFactor unit;
    bool is_price = false; ///< since a day
    bool is_required = false;
    Column column = {};
};

class ColumnReader {
public:
    ColumnReader(const Mapping& mapping, const Options& options, Report& report)
        : mapping_(mapping), options_(options), report_(report), day_(day_of_option(options)) {}

    // Finds every field in an empty document of the kind.
    HardError prepare() {
        const std::optional<Document> kind = document_of(mapping_.kind);
        if (!kind) {
            return wrong(fmt::format("kind is \"{}\"; one of {} is needed", mapping_.kind, kind_names()));
        }
        empty_ = *kind;
        add_options();
        for (const FieldSource& source : mapping_.sources) {
            const bool is_given = std::ranges::find(given_, source.field, &FieldSource::field) != given_.end();
            if (HardError error = source.is_default && is_given ? std::nullopt : add_filler(source)) {
                return error;
            }
        }
        for (const IdPart& part : mapping_.id) {
            for (const std::string& field : part.fields) {
                if (filler_of(field) == nullptr) {
                    return wrong(fmt::format("id has \"{}\", which no column, constant or option fills", field));
                }
            }
        }
        if (const std::string lacking = unfilled(); !lacking.empty()) {
            return wrong(fmt::format("a {} needs {}: name their columns or constants", mapping_.kind, lacking));
        }
        const bool has_price = std::ranges::any_of(fillers_, &Filler::is_price);
        if (has_price && mapping_.dates.empty() && options_.date.empty()) {
            return hard_error(Code::missing, 0, "the mapping names no column of dates; give date, since when its prices hold");
        }
        return std::nullopt;
    }

    HardError read(const NamedText& file) {
        Bytes bytes(file.text);
        Table table(bytes);
        table_ = &table;
        file_ = options_;
        file_.name = file.name;
        if (HardError error = find_columns()) {
            return error;
        }
        return each_row(table, report_, [&] { return read_row(); });
    }

    void finish() {
        for (const std::string& id : order_) {
            report_.add(std::move(documents_.at(id)));
        }
    }

private:
    static HardError wrong(std::string_view message) {
        return hard_error(Code::bad_format, 0, fmt::format("mapping: {}", message));
    }

    // Adds fields from the import's options that the mapping doesn't fill.
    void add_options() {
        for (const std::string_view name : {"provider", "region", "currency", "device", "devices"}) {
            const auto row = std::ranges::find(import_options(), name, &OptionRow::name);
            const std::string& given = options_.*row->member;
            const bool is_mapped =
                std::ranges::any_of(mapping_.sources, [&](const FieldSource& one) { return one.field == name && !one.is_default; });
            if (!given.empty() && !is_mapped) {
                FieldSource source;
                source.field = name;
                source.constant = given;
                given_.push_back(std::move(source));
            }
        }
        for (const FieldSource& source : given_) {
            static_cast<void>(add_filler(source)); // a kind without this field ignores the option
        }
    }

    HardError add_filler(const FieldSource& source) {
        Filler filler{&source, path_of(source.field), {}};
        HardError error = wrong(fmt::format("a {} has no field {}; it has {}", mapping_.kind, source.field, field_names(empty_)));
        Document tried = empty_;
        const auto look = [&](const auto& member, const model::FieldSpec& spec) {
            using M = std::decay_t<decltype(member)>;
            const std::optional<UnitFactor> unit = unit_factor(source.unit, spec.unit);
            error = std::nullopt;
            if (!is_fillable<M> || source.field == "id" || source.field == "source") {
                error = wrong(fmt::format("{} can't be filled from a table", source.field));
            } else if (!unit) {
                error = wrong(fmt::format("{} is of {}; a column may be in {}{}, not in {}", source.field,
                                          spec.unit.empty() ? "no unit" : spec.unit, spec.unit.empty() ? "none" : spec.unit,
                                          units_for(spec.unit).empty() ? "" : ", " + units_for(spec.unit), source.unit));
            } else {
                filler.unit = *unit;
                filler.is_required = spec.required;
                filler.is_price = std::is_same_v<M, model::Rate> && is_price(spec);
            }
        };
        static_cast<void>(visit_path(tried, filler.path, look));
        if (!error) {
            fillers_.push_back(std::move(filler));
        }
        return error;
    }

    // Required fields that nothing fills, separated by commas.
    [[nodiscard]] std::string unfilled() const {
        std::vector<std::string_view> names;
        for (const std::string_view name : required_fields(empty_)) {
            if (std::ranges::none_of(fillers_, [&](const Filler& filler) { return filler.path.front() == name; })) {
                names.push_back(name);
            }
        }
        return fmt::format("{}", fmt::join(names, ", "));
    }

    HardError find_columns() {
        std::vector<std::string> missing;
        const auto find = [&](const std::string& name) {
            const Column column = table_->column(name);
            if (!column && !table_->error()) {
                missing.push_back(name);
            }
            return column;
        };
        for (Filler& filler : fillers_) {
            filler.column = filler.source->column.empty() ? Column{} : find(filler.source->column);
        }
        dates_ = mapping_.dates.empty() ? Column{} : find(mapping_.dates);
        entry_ = mapping_.entry.empty() ? Column{} : find(mapping_.entry);
        for (const std::string& name : mapping_.ignore) {
            static_cast<void>(find(name));
        }
        skip_.clear();
        for (const SkippedRows& rows : mapping_.skip) {
            skip_.push_back(find(rows.column));
        }
        if (!missing.empty() && !table_->error()) {
            table_->fail(Code::missing, 1,
                         fmt::format("{}: the header has no column named {}", file_.name, fmt::join(missing, ", ")));
        }
        return table_->error();
    }

    [[nodiscard]] bool is_skipped() const {
        for (std::size_t i = 0; i < skip_.size(); ++i) {
            if (mapping_.skip[i].texts.contains(table_->text(skip_[i]))) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] std::string text_of_field(const Filler& filler) const {
        std::string text(filler.column ? table_->text(filler.column) : std::string_view(filler.source->constant));
        if (filler.source->text.empty() || text.empty()) {
            return text;
        }
        std::string whole = filler.source->text;
        return whole.replace(whole.find("{}"), 2, text);
    }
    [[nodiscard]] Number number_of_field(const Filler& filler) const {
        if (const Filler* const currency = filler_of("currency")) {
            table_->set_currency(text_of_field(*currency));
        }
        return filler.column ? table_->amount(filler.column) : parse_number(filler.source->constant);
    }

    // The filler of a field; null if nothing fills it.
    [[nodiscard]] const Filler* filler_of(std::string_view field) const {
        const auto found = std::ranges::find(fillers_, field, [](const Filler& one) { return one.source->field; });
        return found == fillers_.end() ? nullptr : &*found;
    }

    [[nodiscard]] double devices() const {
        const Filler* const found = filler_of("devices");
        const Number number = found == nullptr ? Number{} : number_of_field(*found);
        return number ? number.value : 1.0;
    }

    // The date from which the row's prices apply; nothing if its cell is empty.
    [[nodiscard]] std::optional<double> day() const {
        if (!dates_) {
            return day_;
        }
        const std::optional<Moment> moment = parse_moment(table_->text(dates_));
        return moment ? std::optional(std::floor(day_of(*moment))) : std::nullopt;
    }

    std::string fill(const Filler& filler, double day, Document& document) const {
        const std::string text = spelled(filler.source->field, mapping_.kind, text_of_field(filler));
        CellValue value{text, filler.column ? table_->shown(filler.column) : text, number_of_field(filler), day};
        value.number.value *= filler.unit.factor * (filler.unit.by_devices ? devices() : 1.0);
        std::string reason;
        static_cast<void>(visit_path(
            document, filler.path, [&](auto& member, const model::FieldSpec& spec) { reason = fill_member(member, spec, value); }));
        return reason.empty() ? "" : fmt::format("{} {}", filler.column ? filler.source->column : filler.source->field, reason);
    }

    [[nodiscard]] std::string row_id() const {
        std::string id;
        for (const IdPart& part : mapping_.id) {
            std::string text = part.text;
            for (const std::string& field : part.fields) {
                text = text.empty() ? spelled(field, mapping_.kind, text_of_field(*filler_of(field))) : text;
            }
            id = make_id({id, text});
        }
        return id;
    }

    std::string read_row() {
        if (is_skipped()) {
            ++report_.skipped;
            return "";
        }
        const std::optional<double> since = day();
        if (!since) {
            return fmt::format("{} is \"{}\"; a day is needed", mapping_.dates, table_->text(dates_));
        }
        Document document = empty_;
        for (const Filler& filler : fillers_) {
            if (filler.column && table_->text(filler.column).empty()) {
                if (filler.is_required) {
                    return fmt::format("{} is blank; {} is needed", filler.source->column, filler.source->field);
                }
                continue; // empty cell: not stated
            }
            if (std::string reason = fill(filler, *since, document); !reason.empty()) {
                return reason;
            }
        }
        const std::string id = row_id();
        const model::Failure wrong = std::visit(
            [&](auto& one) {
                one.id = id;
                one.source = price_source(file_, entry_ ? table_->text(entry_) : std::string_view());
                return model::check_fields(one);
            },
            document);
        return wrong.empty() ? add(id, std::move(document)) : wrong.front().message;
    }

    // Adds a row's document. Rows with the same id may differ only in their prices, each at its own date.
    std::string add(const std::string& id, Document&& document) {
        const auto [at, is_new] = documents_.try_emplace(id, document);
        if (is_new) {
            order_.push_back(id);
            return "";
        }
        Document joined = at->second;
        std::string reason;
        for (const Filler& filler : fillers_) {
            if (filler.is_price && reason.empty()) {
                reason = join_prices(filler, joined, document);
            }
        }
        if (!reason.empty() || !(joined == document)) {
            return fmt::format("{} is there already, with {}; make the id of more columns, or give a column of dates", id,
                               reason.empty() ? "other figures" : reason);
        }
        report_.skipped += joined == at->second ? 1U : 0U;
        at->second = std::move(joined);
        return "";
    }

    // Adds a row's price points to those of earlier rows, and gives the row the joined points.
    static std::string join_prices(const Filler& filler, Document& joined, Document& row) {
        model::Rate both = rate_at(joined, filler);
        const model::Rate now = rate_at(row, filler);
        if (!both.curve || !now.curve) {
            return "";
        }
        std::string reason = fill_price(both, now.curve->x.front(), now.curve->y.front());
        set_rate(joined, filler, both);
        set_rate(row, filler, both);
        return reason;
    }
    static model::Rate rate_at(Document& document, const Filler& filler) {
        model::Rate rate;
        static_cast<void>(visit_path(document, filler.path, [&](const auto& member, const model::FieldSpec& /*spec*/) {
            if constexpr (std::is_same_v<std::decay_t<decltype(member)>, model::Rate>) {
                rate = member;
            }
        }));
        return rate;
    }
    static void set_rate(Document& document, const Filler& filler, const model::Rate& rate) {
        static_cast<void>(visit_path(document, filler.path, [&](auto& member, const model::FieldSpec& /*spec*/) {
            if constexpr (std::is_same_v<std::decay_t<decltype(member)>, model::Rate>) {
                member = rate;
            }
        }));
    }

    const Mapping& mapping_;
    const Options& options_;
    Report& report_;
    double day_;
    Document empty_;
    std::vector<FieldSource> given_;
    std::vector<Filler> fillers_;
    std::map<std::string, Document> documents_;
    std::vector<std::string> order_;
    Options file_;
    Table* table_ = nullptr;
    Column dates_;
    Column entry_;
    std::vector<Column> skip_;
};

// Reads tables by one mapping. Rows with the same id form one document, even across tables.
HardError read_tables(std::string_view mapping_text, std::span<const NamedText> tables, const Options& options, Report& report) {
    Mapping mapping;
    if (HardError error = read_mapping(mapping_text, mapping)) {
        return error;
    }
    ColumnReader reader(mapping, options, report);
    HardError error = reader.prepare();
    for (const NamedText& table : tables) {
        if (!error) {
            error = reader.read(table);
        }
    }
    if (!error) {
        reader.finish();
    }
    return error;
}

bool is_mapping(const NamedText& file) { return file.name.ends_with(".yaml") || file.name.ends_with(".yml"); }

} // namespace

HardError read_columns(std::span<const NamedText> files, const Options& options, Report& report) {
    const auto is_one = std::ranges::count_if(files, is_mapping) == 1;
    if (!is_one || files.size() < 2) {
        return hard_error(Code::missing, 0,
                          "one mapping (NAME.yaml) and one table or more are needed, in one call: see docs/imports.md");
    }
    std::vector<NamedText> tables;
    std::ranges::copy_if(files, std::back_inserter(tables), [](const NamedText& file) { return !is_mapping(file); });
    return read_tables(std::ranges::find_if(files, is_mapping)->text, tables, options, report);
}

HardError read_by_mapping(std::string_view mapping, Bytes& bytes, const Options& options, Report& report) {
    std::optional<std::string> text = bytes.whole();
    if (!text) {
        return bytes.error();
    }
    const NamedText file{options.name, std::move(*text)};
    HardError error = read_tables(mapping, {&file, 1}, options, report);
    if (!error && report.rows == 0) {
        return hard_error(Code::bad_format, 0, "the file has column names and no rows; rows of prices are needed");
    }
    return error;
}

} // namespace costcurve::imports
