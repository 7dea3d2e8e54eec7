// One table of regions, one of groups.
#include "model/documents/places.hpp"

#include <algorithm>
#include <array>

#include "model/documents/text.hpp"

namespace costcurve::model {

namespace {

struct RegionRow {
    std::string_view region, country;
};
// Ascending. Sources: the lists of regions at docs.aws.amazon.com/global-infrastructure,
// cloud.google.com/compute/docs/regions-zones, learn.microsoft.com/azure/reliability/regions-list and docs.runpod.io.
constexpr auto kRegions = std::to_array<RegionRow>({
    {"af-south-1", "ZA"},
    {"africa-south1", "ZA"},
    {"ap-east-1", "HK"},
    {"ap-east-2", "TW"},
    {"ap-northeast-1", "JP"},
    {"ap-northeast-2", "KR"},
    {"ap-northeast-3", "JP"},
    {"ap-south-1", "IN"},
    {"ap-south-2", "IN"},
    {"ap-southeast-1", "SG"},
    {"ap-southeast-2", "AU"},
    {"ap-southeast-3", "ID"},
    {"ap-southeast-4", "AU"},
    {"ap-southeast-5", "MY"},
    {"ap-southeast-6", "NZ"},
    {"ap-southeast-7", "TH"},
    {"asia-east1", "TW"},
    {"asia-east2", "HK"},
    {"asia-northeast1", "JP"},
    {"asia-northeast2", "JP"},
    {"asia-northeast3", "KR"},
    {"asia-south1", "IN"},
    {"asia-south2", "IN"},
    {"asia-southeast1", "SG"},
    {"asia-southeast2", "ID"},
    {"australia-southeast1", "AU"},
    {"australia-southeast2", "AU"},
    {"australiacentral", "AU"},
    {"australiacentral2", "AU"},
    {"australiaeast", "AU"},
    {"australiasoutheast", "AU"},
    {"austriaeast", "AT"},
    {"belgiumcentral", "BE"},
    {"brazilsouth", "BR"},
    {"brazilsoutheast", "BR"},
    {"ca-central-1", "CA"},
    {"ca-west-1", "CA"},
    {"canadacentral", "CA"},
    {"canadaeast", "CA"},
    {"centralindia", "IN"},
    {"centralus", "US"},
    {"chilecentral", "CL"},
    {"chinaeast", "CN"},
    {"chinaeast2", "CN"},
    {"chinaeast3", "CN"},
    {"chinanorth", "CN"},
    {"chinanorth2", "CN"},
    {"chinanorth3", "CN"},
    {"cn-north-1", "CN"},
    {"cn-northwest-1", "CN"},
    {"denmarkeast", "DK"},
    {"eastasia", "HK"},
    {"eastus", "US"},
    {"eastus2", "US"},
    {"eu-central-1", "DE"},
    {"eu-central-2", "CH"},
    {"eu-cz-1", "CZ"},
    {"eu-fr-1", "FR"},
    {"eu-lt-1", "LT"},
    {"eu-nl-1", "NL"},
    {"eu-north-1", "SE"},
    {"eu-ro-1", "RO"},
    {"eu-se-1", "SE"},
    {"eu-se-2", "SE"},
    {"eu-south-1", "IT"},
    {"eu-south-2", "ES"},
    {"eu-west-1", "IE"},
    {"eu-west-2", "GB"},
    {"eu-west-3", "FR"},
    {"eur-is-1", "IS"},
    {"eur-is-2", "IS"},
    {"eur-is-3", "IS"},
    {"eur-nl-1", "NL"},
    {"eur-no-1", "NO"},
    {"eur-no-2", "NO"},
    {"eur-no-3", "NO"},
    {"europe-central2", "PL"},
    {"europe-north1", "FI"},
    {"europe-north2", "SE"},
    {"europe-southwest1", "ES"},
    {"europe-west1", "BE"},
    {"europe-west10", "DE"},
    {"europe-west12", "IT"},
    {"europe-west2", "GB"},
    {"europe-west3", "DE"},
    {"europe-west4", "NL"},
    {"europe-west6", "CH"},
    {"europe-west8", "IT"},
    {"europe-west9", "FR"},
    {"francecentral", "FR"},
    {"francesouth", "FR"},
    {"germanynorth", "DE"},
    {"germanywestcentral", "DE"},
    {"il-central-1", "IL"},
    {"in1", "IN"},
    {"in2", "IN"},
    {"indonesiacentral", "ID"},
    {"israelcentral", "IL"},
    {"italynorth", "IT"},
    {"japaneast", "JP"},
    {"japanwest", "JP"},
    {"jioindiacentral", "IN"},
    {"jioindiawest", "IN"},
    {"koreacentral", "KR"},
    {"koreasouth", "KR"},
    {"malaysiawest", "MY"},
    {"me-central-1", "AE"},
    {"me-central1", "QA"},
    {"me-central2", "SA"},
    {"me-south-1", "BH"},
    {"me-west1", "IL"},
    {"mexicocentral", "MX"},
    {"mx-central-1", "MX"},
    {"newzealandnorth", "NZ"},
    {"northamerica-northeast1", "CA"},
    {"northamerica-northeast2", "CA"},
    {"northamerica-south1", "MX"},
    {"northcentralus", "US"},
    {"northeurope", "IE"},
    {"norwayeast", "NO"},
    {"norwaywest", "NO"},
    {"polandcentral", "PL"},
    {"qatarcentral", "QA"},
    {"sa-east-1", "BR"},
    {"southafricanorth", "ZA"},
    {"southafricawest", "ZA"},
    {"southamerica-east1", "BR"},
    {"southamerica-west1", "CL"},
    {"southcentralus", "US"},
    {"southeastasia", "SG"},
    {"southindia", "IN"},
    {"spaincentral", "ES"},
    {"swedencentral", "SE"},
    {"swedensouth", "SE"},
    {"switzerlandnorth", "CH"},
    {"switzerlandwest", "CH"},
    {"taiwannorth", "TW"},
    {"uaecentral", "AE"},
    {"uaenorth", "AE"},
    {"uksouth", "GB"},
    {"ukwest", "GB"},
    {"us-central1", "US"},
    {"us-central2", "US"},
    {"us-east-1", "US"},
    {"us-east-2", "US"},
    {"us-east1", "US"},
    {"us-east4", "US"},
    {"us-east5", "US"},
    {"us-east7", "US"},
    {"us-gov-east-1", "US"},
    {"us-gov-west-1", "US"},
    {"us-south1", "US"},
    {"us-west-1", "US"},
    {"us-west-2", "US"},
    {"us-west1", "US"},
    {"us-west2", "US"},
    {"us-west3", "US"},
    {"us-west4", "US"},
    {"us-west8", "US"},
    {"westcentralus", "US"},
    {"westeurope", "NL"},
    {"westindia", "IN"},
    {"westus", "US"},
    {"westus2", "US"},
    {"westus3", "US"},
});
constexpr auto by_region = [](const RegionRow& a, const RegionRow& b) { return a.region < b.region; };
static_assert(std::is_sorted(kRegions.begin(), kRegions.end(), by_region));

constexpr std::string_view kEu = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK";
// Members of kCountryGroups, in its order.
constexpr std::array<std::string_view, kCountryGroups.size()> kMembers = {
    "AU CN HK ID IN JP KR MY NZ PH SG TH TW VN",
    "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK", kEu, "GB", "US"};

constexpr std::size_t kCountryLetters = 2;

bool is_country(std::string_view word) {
    return word.size() == kCountryLetters && std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// Sellers of models name groups as regions.
bool is_in_group(std::string_view country, std::string_view group) {
    const auto found = std::find(kCountryGroups.begin(), kCountryGroups.end(), group);
    const auto at = static_cast<std::size_t>(found - kCountryGroups.begin());
    return found != kCountryGroups.end() && !country.empty() && kMembers[at].find(country) != std::string_view::npos;
}

} // namespace

std::string_view country_of(std::string_view region) {
    const std::string name = lower(region);
    const auto found = std::lower_bound(kRegions.begin(), kRegions.end(), RegionRow{name, {}}, by_region);
    if (found != kRegions.end() && found->region == name) {
        return found->country;
    }
    // As capitals: the small letters of ap-east-3 are no country.
    const std::string_view start = region.substr(0, kCountryLetters);
    const bool ends = region.size() == kCountryLetters || (region.size() > kCountryLetters && region[kCountryLetters] == '-');
    return ends && start != name.substr(0, kCountryLetters) && is_country(lower(start)) && start != "EU" ? start : "";
}

Place place_of(const Offer& offer) {
    const std::string_view country = offer.country.empty() ? country_of(offer.region) : std::string_view(offer.country);
    return {offer.region, country.empty() && offer.site ? place_of(*offer.site).country : country};
}
Place place_of(const Site& site) {
    return {site.region, site.country.empty() ? country_of(site.region) : std::string_view(site.country)};
}
Place place_of(const Endpoint& endpoint) { return {endpoint.region, country_of(endpoint.region)}; }
Place place_of(const Pool& pool) {
    return pool.kind == PoolKind::owned ? (pool.site ? place_of(*pool.site) : Place())
           : pool.offer                 ? place_of(*pool.offer)
           : pool.endpoint              ? place_of(*pool.endpoint)
                                        : Place();
}

bool lies_in(const Place& place, std::string_view where) {
    const std::string asked = lower(where);
    return (!place.region.empty() && lower(place.region) == asked) || (!place.country.empty() && lower(place.country) == asked) ||
           is_in_group(place.country, asked) || (lower(place.region) == "eu" && asked == "eea");
}

bool lies_in_one(const Place& place, const std::vector<std::string>& regions) {
    return regions.empty() ||
           std::any_of(regions.begin(), regions.end(), [&](const std::string& where) { return lies_in(place, where); });
}

bool is_somewhere(std::string_view where) {
    return std::find(kCountryGroups.begin(), kCountryGroups.end(), lower(where)) != kCountryGroups.end() ||
           is_country(lower(where)) || !country_of(where).empty();
}

} // namespace costcurve::model
