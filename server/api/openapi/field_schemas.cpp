// Documents, requests and answers as JSON Schema, by the field tables: one row a field, one function a type of member. Rules
// between fields, and that x of a curve ascends, are beyond it: model/rules.cpp, the decoder and the requests' checks see to those.
#include <cmath>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/documents/automation.hpp"
#include "model/documents/field_check.hpp"
#include "model/hosted/token_spread.hpp"
#include "server/actuals/calibration_answer.hpp"
#include "server/actuals/samples.hpp"
#include "server/answers/evaluate_request.hpp"
#include "server/answers/result.hpp"
#include "server/answers/service_answers.hpp"
#include "server/answers/tables/question_rows.hpp"
#include "server/api/openapi/field_table.hpp"
#include "server/api/openapi/openapi.hpp"
#include "server/api/openapi/own_schemas.hpp"
#include "server/api/problem.hpp"
#include "server/api/questions.hpp"
#include "server/ingest/feed_landing.hpp"
#include "server/ingest/import_files.hpp"
#include "server/ingest/import_run.hpp"
#include "server/ingest/prices/price.hpp"
#include "server/recalculation/job.hpp"
#include "server/recalculation/recalculation.hpp"
#include "server/recalculation/recalculation_request.hpp"
#include "server/recalculation/result_diff.hpp"
#include "server/recalculation/standings.hpp"

namespace costcurve::api {

namespace {

using namespace costcurve::model;

template <class T> Schema object_schema(Side side);
template <class M> Schema schema_of(const FieldSpec& spec, Side side);

template <class M> Schema list_schema(const FieldSpec& spec, Side side) {
    Schema list = list_of(schema_of<M>(FieldSpec{.format = spec.format}, side));
    if (std::isfinite(spec.min)) {
        list["minItems"] = number_of(spec.min);
    }
    if (std::isfinite(spec.max)) {
        list["maxItems"] = number_of(spec.max);
    } else if (std::is_enum_v<M> && side == Side::request) {
        list["maxItems"] = model::kMaxNames;
    }
    return list;
}

/// Type of a row's member: of the struct's member, or of a function's result.
template <class T, class F> using MemberOf = std::remove_cvref_t<std::invoke_result_t<decltype(F::member), const T&>>;

// Types of members with a schema of their own.
Schema own_schema(Type<ClassWeights>, const FieldSpec&, Side side) { return object_schema<ClassWeights>(side); }
Schema own_schema(Type<UnitsPerRequest>, const FieldSpec& spec, Side side) {
    return one_of({number_schema("number", spec), object_schema<UnitsPerRequest>(side)});
}
Schema own_schema(Type<UnitPrice>, const FieldSpec& spec, Side side) {
    return one_of({number_schema("number", spec), reference_to("slug"), curve_schema(spec), object_schema<UnitPrice>(side)});
}
Schema own_schema(Type<std::vector<TokenBucket>>, const FieldSpec& spec, Side side) {
    Schema list = list_schema<TokenBucket>(spec, side);
    return side == Side::request ? one_of({std::move(list), object_schema<TokenSpread>(side)}) : list;
}

// Schema of {name: value}; names are ids if the row's format is a slug.
template <class Value> Schema by_name_schema(const FieldSpec& spec, Side side) {
    if (!spec.schema.empty()) {
        return reference_to(spec.schema);
    }
    Schema object = of_type("object");
    if (spec.format == Format::slug) {
        object["propertyNames"] = reference_to("slug");
    }
    object["additionalProperties"] = schema_of<Value>({}, side);
    return object;
}
template <class T>
requires has_fields<T> Schema own_schema(Type<std::map<std::string, T>>, const FieldSpec& spec, Side side) {
    Schema object = by_name_schema<T>(spec, side);
    object["maxProperties"] = model::kMaxNames;
    return object;
}
template <class T> std::type_identity<T> value_of(const answers::Named<T>&);
template <class T> std::type_identity<T> value_of(const std::optional<answers::Named<T>>&);
template <class At> using ValueOf = typename decltype(value_of(std::declval<At>()(0)))::type;

template <class At> Schema own_schema(Type<answers::Members<At>>, const FieldSpec& spec, Side side) {
    return by_name_schema<ValueOf<At>>(spec, side);
}
template <class... T> Schema own_schema(Type<std::variant<T...>>, const FieldSpec&, Side side) {
    return one_of({schema_of<T>({}, side)...});
}

template <class M> constexpr bool has_own_schema = requires(const FieldSpec& spec) { own_schema(Type<M>{}, spec, Side::answer); };

// Lists of numbers, arrays and lists of parts.
template <class M> Schema sequence_schema(const FieldSpec& spec, Side side) {
    using Item = typename M::value_type;
    if (is_number_list<M> && spec.of_entries) {
        return {{"type", "array"}, {"items", schema_of<Item>(spec, side)}, {"maxItems", spec.max_entries}};
    }
    Schema list = list_schema<Item>(spec, side);
    if constexpr (std::is_same_v<M, std::vector<double>>) {
        list["items"] = side == Side::request ? bounded_number() : of_type("number");
    } else if constexpr (is_array<M>) {
        list["minItems"] = std::tuple_size_v<M>;
        list["maxItems"] = std::tuple_size_v<M>;
    }
    return list;
}

template <class M> Schema part_schema(Side side) {
    static_assert(has_fields<M>, "a type of member without a schema");
    if (part_name<M> == document_name<Stored>) {
        return object_schema<M>(side); // a part without a name of its own
    }
    return is_kind(part_name<M>) && side == Side::request ? document_or_id(part_name<M>) : reference_to(part_name<M>);
}

template <class M> Schema schema_of(const FieldSpec& spec, Side side) {
    if constexpr (has_own_schema<M>) {
        return own_schema(Type<M>{}, spec, side);
    } else if constexpr (is_optional<M>) {
        FieldSpec inner = spec; // an optional entry of a list may be null
        inner.omit = spec.omit && !is_optional<typename M::value_type>;
        Schema schema = schema_of<typename M::value_type>(inner, side);
        return side == Side::answer && !spec.omit && !spec.required ? nullable(std::move(schema)) : schema;
    } else if constexpr (answers::is_by_name<M>) {
        return by_name_schema<typename M::value_type::second_type>(spec, side);
    } else if constexpr (std::is_integral_v<M>) {
        return spec.format == Format::digits ? answered_text(spec) : number_schema("integer", spec);
    } else if constexpr (answers::is_text<M>) {
        return side == Side::answer ? answered_text(spec) : text_schema(spec);
    } else if constexpr (std::is_enum_v<M>) {
        return choice_of(enum_names<M>);
    } else if constexpr (is_vector<M> || is_array<M>) {
        return sequence_schema<M>(spec, side);
    } else {
        return part_schema<M>(side);
    }
}

// Adds a row's description, range and default to the schema of its member's type.
Schema field_schema(const FieldSpec& spec, Schema schema, const Default& stated) {
    add_default(schema, stated);
    if (!spec.help.empty()) {
        schema["description"] = spec.unit.empty() ? std::string(spec.help) : fmt::format("{} [{}]", spec.help, spec.unit);
    }
    if (!spec.unit.empty()) {
        schema["x-unit"] = spec.unit;
    }
    if (!spec.only_for.empty()) {
        schema["x-only-for"] = spec.only_for;
    }
    return schema;
}

// Members of one kind only: refused in other kinds, required in this kind if their rows are.
void add_kind(Schema& schema, std::string_view kind, std::span<const FieldRow> rows) {
    Schema then = Schema::object();
    for (const FieldRow& row : rows) {
        const bool is_of_kind = is_for(row.spec->only_for, kind);
        if (is_of_kind && row.spec->required) {
            then["required"].push_back(row.name);
        } else if (!is_of_kind && !row.spec->only_for.empty()) {
            then["properties"][std::string(row.name)] = false;
        }
    }
    if (!then.empty()) {
        add_case(schema, "kind", kind, std::move(then));
    }
}
template <class T> void add_kinds(Schema& schema) {
    if constexpr (requires(T document) { document.kind; }) {
        for (const std::string_view kind : enum_names<decltype(T::kind)>) {
            add_kind(schema, kind, field_rows<T>);
        }
    }
}

// Members of an object under construction.
struct Members {
    Side side;
    bool is_part; // part of a scenario that others refer to by id
    Schema properties = Schema::object();
    Schema required = Schema::array();
};

// A row with its type-dependent functions, so that one loop handles all objects.
struct MemberRow {
    std::string_view name;
    const FieldSpec& spec;
    Schema (*schema)(const FieldSpec& spec, Side side);
    ByDefault by_default;
    bool is_always_answered;
};

void add_member(Members& members, const MemberRow& row) {
    const bool is_request = members.side == Side::request;
    members.properties[std::string(row.name)] =
        field_schema(row.spec, row.schema(row.spec, members.side), is_request ? default_of(row.spec, row.by_default) : Default());
    const bool must_be_stated = (row.spec.required && row.spec.only_for.empty()) || (row.name == "id" && members.is_part);
    if (is_request ? must_be_stated : row.is_always_answered) {
        members.required.push_back(row.name);
    }
}

bool is_always_answered(const auto& field) {
    if constexpr (requires { field.applies; }) {
        return field.applies == nullptr;
    }
    return !field.spec.omit;
}

template <class T> void add_members(Members& members) {
    for_each_field<T>([&]<class F>(const F& field) {
        using M = MemberOf<T, F>;
        if constexpr (answers::is_kept<M>) {
            add_members<typename M::Answer>(members);
        } else {
            add_member(members, {field.name, field.spec, schema_of<M>, by_default_of<T>(field), is_always_answered(field)});
        }
    });
}

template <class T> Schema object_schema(Side side) {
    Members members{.side = side, .is_part = !is_kind(part_name<T>) && part_name<T> != document_name<Stored>};
    add_members<T>(members);
    Schema schema = {{"type", "object"}, {"properties", std::move(members.properties)}};
    if (!members.required.empty()) {
        schema["required"] = std::move(members.required);
    }
    schema["additionalProperties"] = false;
    if (side == Side::request) {
        add_kinds<T>(schema);
    }
    return schema;
}

template <class T> Schema schema_of_list(Side side) { return schema_of<std::vector<T>>({}, side); }

// Schema of a problem document, with all kinds and their statuses.
Schema problem_schema(Side side) {
    Schema problem = object_schema<ProblemAnswer>(side);
    Schema& type = problem["properties"]["type"]["enum"];
    Schema& status = problem["properties"]["status"]["enum"];
    for (const ProblemKind& kind : problem_kinds()) {
        type.push_back("/problems/" + std::string(kind.name));
        if (status.empty() || status.back() != kind.status) { // a status may have several kinds, one behind another
            status.push_back(kind.status);
        }
    }
    return problem;
}

// A component of the API description: a request, which also has a field table, or an answer.
struct Component {
    std::string_view name;
    Schema (*schema)(Side side);
    Side side;
    std::string_view description = "";
    void (*write_fields)(JsonWriter& out) = nullptr;
};
template <class R> constexpr Component request(std::string_view name, std::string_view description = "") {
    return {name, object_schema<R>, Side::request, description, write_fields<R>};
}

// Components of the questions, in the order of the description.
std::vector<Component> question_components() {
    std::vector<Component> all = {
        request<answers::EvaluateRequest>("evaluate_request"),
        request<answers::BatchRequest>("batch_request", "{scenarios: […]}, or {scenario, sets: […]}"),
    };
    const auto add = [&]<class R>(std::type_identity<R> /*question*/) {
        all.push_back(request<R>(R::names.request, R::names.request_help));
        all.push_back({R::names.answer, object_schema<typename R::Answer>, Side::answer, R::names.answer_help});
    };
    ShortQuestions::for_each(add);
    LongQuestions::for_each(add);
    StoredQuestions::for_each(add);
    ResultQuestions::for_each(add);
    all.push_back(request<actuals::CalibrationRequest>("calibration_request"));
    all.push_back({"calibration", object_schema<actuals::CalibrationAnswer>, Side::answer});
    MeasuredQuestions::for_each(add);
    all.push_back(request<recalculation::RecalculationRequest>("recalculation_request"));
    return all;
}

// Components of the service and its store, in the order of the description.
const auto kStoreComponents = std::to_array<Component>({
    {"issue", object_schema<Issue>, Side::answer},
    {"problem", problem_schema, Side::answer, "RFC 9457; every issue that was found"},
    {"category_styles", schema_of_list<answers::CategoryAnswer>, Side::answer},
    {"health", object_schema<answers::HealthAnswer>, Side::answer},
    {"readiness", object_schema<answers::ReadinessAnswer>, Side::answer},
    {"revision", object_schema<storage::Revision>, Side::answer},
    {"revisions", object_schema<answers::Page<storage::Revision>>, Side::answer, "newest first"},
    {"change", object_schema<storage::AuditEntry>, Side::answer},
    {"audit", object_schema<answers::Page<storage::AuditEntry>>, Side::answer, "newest first"},
    {"unreadable_document", object_schema<documents::UnreadableDocument>, Side::answer,
     "a stored document that can't be read stands so in its list"},
    {"complaints", object_schema<imports::Complaints>, Side::answer,
     "the first 1000; row 1 is a table's first line, and a complaint of the whole file has none"},
    {"import_summary", object_schema<ingest::ImportAnswer>, Side::answer},
    {"telemetry_summary", object_schema<actuals::TelemetrySummary>, Side::answer},
    {"telemetry_hour", object_schema<actuals::HourAnswer>, Side::answer},
    {"telemetry_hours", object_schema<answers::Page<actuals::HourAnswer>>, Side::answer,
     "by hour; of sensors there is no increase, of counters no sum"},
    {"event", object_schema<storage::Event>, Side::answer, "as webhooks are sent it"},
    {"events", object_schema<answers::Page<storage::Event>>, Side::answer, "newest first"},
    {"event_begun", object_schema<documents::EventBegun>, Side::answer},
    {"delivery", object_schema<storage::Delivery>, Side::answer},
    {"deliveries", object_schema<answers::Page<storage::Delivery>>, Side::answer, "newest first"},
    {"price", object_schema<ingest::PriceAnswer>, Side::answer},
    {"price_move", object_schema<ingest::PriceMove>, Side::answer},
    {"held_offer", object_schema<ingest::HeldOffer>, Side::answer},
    {"held_document", object_schema<ingest::HeldDocument>, Side::answer},
    {"recognized_format", object_schema<ingest::RecognizedAs>, Side::answer},
    {"feed_summary", object_schema<ingest::FeedSummary>, Side::answer},
    {"feed_run", object_schema<ingest::FeedRunAnswer>, Side::answer},
    {"feed_runs", object_schema<answers::Page<ingest::FeedRunAnswer>>, Side::answer, "newest first"},
    {"feed_run_begun", object_schema<ingest::FeedRunBegun>, Side::answer},
    {"import_run", object_schema<ingest::ImportRunAnswer>, Side::answer},
    {"import_runs", object_schema<answers::Page<ingest::ImportRunAnswer>>, Side::answer, "newest first"},
    {"job", object_schema<recalculation::JobAnswer>, Side::answer},
    {"job_list", object_schema<answers::Page<recalculation::JobAnswer>>, Side::answer},
    {"recalculation", object_schema<recalculation::RunAnswer>, Side::answer},
    {"recalculation_list", object_schema<answers::Page<recalculation::RunAnswer>>, Side::answer},
    {"headline", object_schema<storage::Headline>, Side::answer},
    {"kept_result", object_schema<documents::ResultEntry>, Side::answer},
    {"result_diff", object_schema<recalculation::ResultDifference>, Side::answer},
    {"result_list", object_schema<answers::Page<documents::ResultEntry>>, Side::answer, "newest first"},
    {"standing", object_schema<recalculation::StandingEntry>, Side::answer},
    {"standing_list", object_schema<answers::Page<recalculation::StandingEntry>>, Side::answer, "newest first"},
});

// Answers under their own names.
template <class... T> void add_answers(Schema& schemas) {
    ((schemas[std::string(part_name<T>)] = object_schema<T>(Side::answer)), ...);
}

void add_components(std::span<const Component> components, Schema& schemas) {
    for (const Component& component : components) {
        Schema schema = component.schema(component.side);
        if (!component.description.empty()) {
            schema["description"] = component.description;
        }
        schemas[std::string(component.name)] = std::move(schema);
    }
}

} // namespace

void add_field_schemas(Schema& schemas) {
    for_each_stored_document(
        [&]<class T>(std::type_identity<T>) { schemas[std::string(part_name<T>)] = object_schema<T>(Side::request); });
    add_components(question_components(), schemas);
    schemas["distribution"] = distribution_schema();
    schemas["set"] = set_schema();
}

void add_result_schemas(Schema& schemas) {
    add_answers<Amounts, answers::InfeasibleAnswer, answers::TotalResult, SiteSummary, Borne, answers::PoolResult,
                answers::InferenceResult, answers::TrainingResult, answers::BatchResult, answers::MonthResult, answers::LedgerLine,
                answers::DocumentUsed, answers::ProvenanceAnswer, answers::ResultAnswer, answers::MapRow, answers::SimulationRow,
                answers::BreakEvenRow, answers::BillRow>(schemas);
    schemas["result"]["description"] = "money is in currency; what cannot be known is null, never 0";
}
void add_store_schemas(Schema& schemas) { add_components(kStoreComponents, schemas); }

std::string encode_field_tables() {
    JsonWriter out;
    out.begin_array();
    for_each_stored_document([&]<class T>(std::type_identity<T>) {
        out.begin_object().member("document", part_name<T>).key("fields");
        write_fields<T>(out);
        out.end_object();
    });
    for (const Component& component : question_components()) {
        if (component.write_fields != nullptr) {
            out.begin_object().member("request", component.name).key("fields");
            component.write_fields(out);
            out.end_object();
        }
    }
    out.end_array();
    return out.take();
}

} // namespace costcurve::api
