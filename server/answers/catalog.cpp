// Reads the catalogue, kind by kind in pages, with references resolved.
#include "server/answers/catalog.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/documents/places.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/near_names.hpp"
#include "server/documents/stored_rates.hpp"

namespace costcurve::answers {

model::Catalog read_catalog(documents::Source& source) {
    using documents::all_of_kind;
    return {all_of_kind<model::Offer>(source),
            all_of_kind<model::Server>(source),
            all_of_kind<model::Site>(source),
            all_of_kind<model::Performance>(source),
            all_of_kind<model::Model>(source),
            all_of_kind<model::Endpoint>(source),
            source.rates().rates,
            source.rates().training};
}

RatedCatalog read_rated(documents::Source& source) {
    return {documents::all_of_kind<model::Model>(source), documents::all_of_kind<model::Device>(source), source.rates().rates};
}

namespace {

// Reports limits with names unknown to the catalogue: such a limit would silently exclude everything.
class KnownNames {
public:
    explicit KnownNames(const model::Catalog& catalog) {
        for (const model::Offer& offer : catalog.offers) {
            providers_.insert(offer.provider);
            devices_.insert(offer.device.id);
            add(place_of(offer));
        }
        for (const model::Endpoint& endpoint : catalog.endpoints) {
            providers_.insert(endpoint.provider);
            add(place_of(endpoint));
        }
        for (const model::Server& server : catalog.servers) {
            devices_.insert(server.device.id);
        }
        for (const model::Site& site : catalog.sites) {
            sites_.insert(site.id);
            add(place_of(site));
        }
    }

    [[nodiscard]] model::Failure unknown_in(const model::RankQuestion& question) {
        check("/limits/providers", "provider", question.limits.providers, providers_);
        check("/limits/devices", "device", question.limits.devices, devices_);
        check("/limits/sites", "site", question.limits.sites, sites_);
        for (const auto& [provider, fraction] : question.discounts) {
            if (!providers_.contains(provider)) {
                refuse("/discounts/" + provider, "provider", provider, providers_, "");
            }
        }
        check_places("/limits/regions", question.limits.regions);
        for (std::size_t w = 0; w < question.work.workloads.size(); ++w) {
            check_places(fmt::format("/workloads/{}/regions", w), question.work.workloads[w].regions);
        }
        return std::move(issues_);
    }

private:
    void add(const model::Place& place) {
        places_.push_back(place);
        for (const std::string_view name : {place.region, place.country}) {
            if (!name.empty()) {
                place_names_.insert(name);
            }
        }
    }
    void check(const std::string& pointer, std::string_view what, const std::vector<std::string>& asked,
               const std::set<std::string_view>& known) {
        for (std::size_t i = 0; i < asked.size(); ++i) {
            if (!known.contains(asked[i])) {
                refuse(fmt::format("{}/{}", pointer, i), what, asked[i], known, "");
            }
        }
    }
    void check_places(const std::string& pointer, const std::vector<std::string>& asked) {
        for (std::size_t i = 0; i < asked.size(); ++i) {
            const auto is_there = [&](const model::Place& place) { return lies_in(place, asked[i]); };
            if (std::none_of(places_.begin(), places_.end(), is_there)) {
                refuse(fmt::format("{}/{}", pointer, i), "region", asked[i], place_names_,
                       fmt::format("; countries are two letters of ISO 3166, groups {}", fmt::join(model::kCountryGroups, ", ")));
            }
        }
    }
    void refuse(std::string pointer, std::string_view what, const std::string& name, const std::set<std::string_view>& known,
                const std::string& rest) {
        const std::vector<std::string_view> names(known.begin(), known.end());
        const std::string near = documents::near_names(name, names);
        issues_.push_back({std::move(pointer), model::Code::unknown_value,
                           fmt::format("no offer, server or endpoint of the catalogue has {} {}{}{}", what,
                                       shortened(name, kMaxShown), near.empty() ? first_of(names) : near, rest)});
    }
    // A list of known names, shown if none is similar.
    static std::string first_of(const std::vector<std::string_view>& names) {
        constexpr std::size_t kMaxNames = 20;
        const std::size_t shown = std::min(kMaxNames, names.size());
        return names.empty() ? ""
                             : fmt::format("; there are {}{}",
                                           fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                                           shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : "");
    }

    static constexpr std::size_t kMaxShown = 60; // bytes
    std::set<std::string_view> providers_, devices_, sites_, place_names_;
    std::vector<model::Place> places_;
    model::Failure issues_;
};

} // namespace

model::Failure unknown_names(const model::Catalog& catalog, const model::RankQuestion& question) {
    return KnownNames(catalog).unknown_in(question);
}

} // namespace costcurve::answers
