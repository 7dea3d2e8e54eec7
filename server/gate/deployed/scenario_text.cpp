// Writes pools and workloads of no demand.
#include "server/gate/deployed/scenario_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/text.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/import/identity/model_name.hpp"

namespace costcurve::gate::deployed {

namespace {

constexpr int kMonths = 12;

void write_no_demand(JsonWriter& out) { out.key("demand").begin_object().member("mean_per_s", 0).end_object(); }

void write_served(JsonWriter& out, const ServedModel& served, const std::string& id) {
    out.begin_object().member("id", id).member("kind", "inference").member("unit", "token");
    out.member("model", imports::model_id_of(served.pods->model));
    if (!served.pods->precision.empty()) {
        out.member("precision", served.pods->precision);
    }
    out.key("units_per_request").begin_object().member("input", 1000).member("output", 300).end_object();
    write_no_demand(out);
    out.key("runs_on").begin_array();
    for (const std::string& pool : served.pools) {
        out.begin_object().member("pool", pool).end_object();
    }
    out.end_array().end_object();
}

// Machines alone do no work that is known: a scenario has one, of no demand.
void write_no_work(JsonWriter& out, const std::vector<RentedPool>& pools) {
    out.begin_object().member("id", "not-stated").member("kind", "inference").member("note", "no work is stated; it has no demand");
    write_no_demand(out);
    out.key("runs_on").begin_array();
    for (const RentedPool& pool : pools) {
        out.begin_object().member("pool", pool.id).key("performance").begin_object().member("device", pool.offer->device.id);
        out.member("devices", 1).member("units_per_s", 1).member("basis", "assumed").end_object().end_object();
    }
    out.end_array().end_object();
}

// A spot machine is paid for all the time, as if none were taken away: how often they are is not known enough to stay below a
// budget.
void write_offer(JsonWriter& out, const model::Offer& offer) {
    if (offer.purchase != model::Purchase::spot) {
        out.value(offer.id);
        return;
    }
    model::Offer always = offer;
    always.availability_fraction = 1.0;
    out.raw(documents::encode_canonical(always));
}

} // namespace

std::string slug_of(std::string_view text) {
    std::string slug = model::lower(shortened(text, 100));
    std::ranges::replace_if(
        slug, [](char c) { return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-'); }, '-');
    slug.erase(0, slug.find_first_not_of("-."));
    return slug.empty() ? "machines" : slug;
}

std::string scenario_text(const std::vector<ServedModel>& models, const std::vector<RentedPool>& pools, model::YearMonth start) {
    JsonWriter out;
    out.begin_object().member("id", "deployment").member("name", "deployment").member("start", model::to_text(start));
    out.member("months", kMonths).member("currency", pools.front().offer->currency).key("workloads").begin_array();
    std::map<std::string, int> used;
    for (const ServedModel& served : models) {
        const std::string id = slug_of(served.pods->object);
        const int number = ++used[id];
        write_served(out, served, number == 1 ? id : fmt::format("{}-{}", id, number));
    }
    if (models.empty()) {
        write_no_work(out, pools);
    }
    out.end_array().key("pools").begin_array();
    for (const RentedPool& pool : pools) {
        out.begin_object().member("id", pool.id).member("kind", "cloud").key("offer");
        write_offer(out, *pool.offer);
        out.member("min_instances", pool.count).member("max_instances", pool.max_count).end_object();
    }
    out.end_array().end_object();
    return out.take();
}

} // namespace costcurve::gate::deployed
