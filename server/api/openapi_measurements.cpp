// Telemetry, calibrations and variances as JSON Schema. Names of members stand in the handlers too; tests/contract holds the two
// together.
#include <nlohmann/json.hpp>

#include "server/api/openapi_schemas.hpp"

namespace costcurve::api {

namespace {

constexpr auto kNumber = "number";
constexpr auto kInteger = "integer";
constexpr auto kText = "string";

Schema name() { return {{"type", kText}, {"minLength", 1}, {"maxLength", 256}}; }
Schema time() { return {{"type", kText}, {"format", "date-time"}}; }
Schema one_word(std::initializer_list<const char*> words) {
    Schema schema = {{"type", kText}};
    schema["enum"] = words;
    return schema;
}
Schema numbers_or_null(std::initializer_list<const char*> names) {
    Schema properties = Schema::object();
    for (const char* const member : names) {
        properties[member] = or_null(kNumber);
    }
    return properties;
}
Schema sources() {
    Schema list = list_of(name());
    list["minItems"] = 1;
    list["maxItems"] = 1000;
    list["uniqueItems"] = true;
    return described(std::move(list), "only these");
}

void add_telemetry(Schema& schemas) {
    schemas["telemetry_text"] =
        described(of_type(kText),
                  "Prometheus text as exporters of DCGM or AMD print it, or lines of JSON: {\"time\", \"source\", \"device\", and "
                  "metrics such as \"power_w\"}; gzip'd or not");
    schemas["telemetry_summary"] = closed_object({{"samples", described(count(), "readings that are in the format")},
                                                  {"accepted", count()},
                                                  {"duplicates", count()},
                                                  {"rejected", reference_to("complaints")},
                                                  {"warnings", reference_to("complaints")}});
    Schema hour = {{"source", of_type(kText)}, {"device", or_null(kText)}, {"metric", of_type(kText)}, {"hour", time()}};
    hour["count"] = described(count(), "samples; 0 where only a counter's difference reaches across the hour");
    hour.update(numbers_or_null({"mean", "sd", "minimum", "maximum", "sum"}));
    hour["increase"] = described(or_null(kNumber), "of counters: what they gained in the hour");
    schemas["telemetry_hour"] = closed_object(std::move(hour));
    schemas["telemetry_hours"] =
        described(page_of("telemetry_hour"), "by hour; of sensors there is no increase, of counters no sum");
}

void add_calibrations(Schema& schemas) {
    Schema curves = list_of(one_word({"power", "utilization", "throughput"}));
    curves["minItems"] = 1;
    curves["maxItems"] = 3;
    curves["uniqueItems"] = true;
    Schema tolerance = {{"type", kNumber}, {"minimum", 0}, {"maximum", 3600}, {"default", 15}};
    Schema request =
        closed_object({{"device", described(reference_to("slug"), "of this device; one of device and sources is needed")},
                       {"sources", sources()},
                       {"from", time()},
                       {"to", time()},
                       {"curves", std::move(curves)},
                       {"id_prefix", described(reference_to("slug"), "ids are <id_prefix>.power and so on; default device")},
                       {"time_zone", {{"type", kText}, {"default", "UTC"}}},
                       {"tolerance_s", described(std::move(tolerance), "between readings that are taken for simultaneous")},
                       {"dry_run", {{"type", "boolean"}, {"default", false}}}},
                      {"device", "sources", "id_prefix", "time_zone", "tolerance_s", "dry_run"});
    request["anyOf"] = Schema::array({{{"required", Schema::array({"device"})}}, {{"required", Schema::array({"sources"})}}});
    schemas["calibration_request"] = std::move(request);
    Schema dropped = Schema::object();
    for (const char* const cause : {"unmatched", "out_of_range", "stuck", "outliers", "thin"}) {
        dropped[cause] = count();
    }
    Schema fit = closed_object({{"samples_used", count()},
                                {"dropped", closed_object(std::move(dropped))},
                                {"r_squared", or_null(kNumber)},
                                {"residual_sd", of_type(kNumber)}});
    Schema spread = closed_object({{"x", of_type(kNumber)},
                                   {"samples", count()},
                                   {"sd", of_type(kNumber)},
                                   {"p10", of_type(kNumber)},
                                   {"p90", of_type(kNumber)}});
    Schema curve =
        closed_object({{"kind", one_word({"power", "utilization", "throughput"})},
                       {"id", reference_to("slug")},
                       {"what", one_word({"added", "changed", "unchanged"})},
                       {"revision", described(or_null(kInteger), "null in a dry run")},
                       {"fit", std::move(fit)},
                       {"spread", described(list_of(std::move(spread)), "of utilization: how hours lie around the mean")},
                       {"curve", described(of_type("object"), "the document, as it is stored")}});
    schemas["calibration"] =
        closed_object({{"dry_run", of_type("boolean")}, {"from", time()}, {"to", time()}, {"curves", list_of(std::move(curve))}});
}

void add_variances(Schema& schemas) {
    const Schema fraction = {{"type", kNumber}, {"minimum", 0}, {"maximum", 1}};
    const Schema amount = {{"type", kNumber}, {"minimum", 0}, {"maximum", 1e15}};
    Schema telemetry = closed_object({{"device", reference_to("slug")}, {"sources", sources()}}, {"device", "sources"});
    telemetry["minProperties"] = 1;
    Schema bill =
        closed_object({{"provider", name()}, {"region", name()}, {"sku", name()}, {"purchase", name()}, {"device", name()}},
                      {"provider", "region", "sku", "purchase", "device"});
    Schema actual =
        closed_object({{"telemetry", std::move(telemetry)},
                       {"bill", described(std::move(bill), "lines of imported bills that fit; all of the months for {}")},
                       {"cost", {{"type", kNumber}, {"minimum", -1e15}, {"maximum", 1e15}}},
                       {"device_hours", amount},
                       {"units", amount},
                       {"energy_kwh", amount},
                       {"utilization_fraction", fraction}},
                      {"telemetry", "bill", "cost", "device_hours", "units", "energy_kwh", "utilization_fraction"});
    actual["minProperties"] = 1;
    schemas["variance_request"] =
        closed_object({{"scenario", one_of({reference_to("slug"), reference_to("scenario")})},
                       {"set", reference_to("set")},
                       {"as_of", {{"type", {kText, "null"}}, {"format", "date-time"}}},
                       {"pool", name()},
                       {"from", described(reference_to("year_month"), "the first month")},
                       {"to", described(reference_to("year_month"), "the last month")},
                       {"actual", described(std::move(actual), "a figure that is given wins over what is measured or billed")}},
                      {"set", "as_of"});
    Schema side = numbers_or_null({"cost", "device_hours", "units", "energy_kwh", "utilization_fraction", "price_per_device_hour",
                                   "hours_per_unit", "device_energy_kwh"});
    Schema measured = side;
    measured["telemetry_device_hours"] = or_null(kNumber);
    measured["basis"] = {{"type", "object"}, {"additionalProperties", one_word({"given", "telemetry", "bill"})}};
    schemas["variance"] =
        closed_object({{"pool", of_type(kText)},
                       {"from", reference_to("year_month")},
                       {"to", reference_to("year_month")},
                       {"currency", reference_to("currency_code")},
                       {"predicted", closed_object(std::move(side))},
                       {"measured", closed_object(std::move(measured))},
                       {"difference", closed_object(numbers_or_null({"cost", "device_hours", "units", "energy_kwh",
                                                                     "utilization_fraction", "device_energy_kwh"}))},
                       {"cost_variance", described(closed_object(numbers_or_null({"total", "price", "volume", "efficiency"})),
                                                   "above 0 costs more than planned; the parts add up to the total")},
                       {"notes", described(list_of(of_type(kText)), "why a figure is null")}});
}

} // namespace

void add_measurement_schemas(Schema& schemas) {
    add_telemetry(schemas);
    add_calibrations(schemas);
    add_variances(schemas);
}

} // namespace costcurve::api
