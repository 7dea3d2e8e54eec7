// Regions of sellers, countries and their groups.
#include "model/documents/places.hpp"

#include <gtest/gtest.h>

namespace costcurve::model {
namespace {

TEST(Places, HaveTheCountryOfThePublishedLists) {
    struct Case {
        std::string region, country;
    };
    for (const Case& row : {Case{"us-east-1", "US"},
                            {"eu-west-2", "GB"},
                            {"europe-west4", "NL"},
                            {"westeurope", "NL"},
                            {"EU-RO-1", "RO"},
                            {"US-CA-2", "US"},
                            {"NL", "NL"},
                            {"EU-WEST-1", "IE"},
                            {"ap-east-3", ""},
                            {"eu", ""},
                            {"EU-XX-1", ""},
                            {"Virginia", ""},
                            {"", ""}}) {
        EXPECT_EQ(country_of(row.region), row.country) << row.region;
    }
}

TEST(Places, LieInTheirRegionCountryAndGroups) {
    struct Case {
        Place place;
        std::string where;
        bool lies;
    };
    const Place paris{"europe-west9", "FR"};
    for (const Case& row : {Case{paris, "europe-west9", true},
                            {paris, "FR", true},
                            {paris, "fr", true},
                            {paris, "eu", true},
                            {paris, "EEA", true},
                            {paris, "europe-west4", false},
                            {paris, "us", false},
                            {paris, "europe", false},
                            {{"", "NO"}, "eu", false},
                            {{"", "NO"}, "eea", true},
                            {{"", "GB"}, "uk", true},
                            {{"", "GB"}, "eu", false},
                            {{"", "JP"}, "apac", true},
                            {{"eu", ""}, "eu", true},
                            {{"eu", ""}, "eea", true},
                            {{"eu", ""}, "FR", false},
                            {{"us", ""}, "us", true},
                            {{"", ""}, "eu", false},
                            {{"global", ""}, "us", false}}) {
        EXPECT_EQ(lies_in(row.place, row.where), row.lies) << row.place.region << row.place.country << " in " << row.where;
    }
    EXPECT_TRUE(lies_in_one({}, {})) << "nothing is asked";
    EXPECT_FALSE(lies_in_one({}, {"eu"})) << "what is not known is nowhere";
}

TEST(Places, AreOfTheOfferBeforeItsSite) {
    Offer offer;
    offer.region = "paris-1";
    offer.site = Site{};
    offer.site->country = "FR";
    EXPECT_EQ(place_of(offer).country, "FR");
    offer.country = "BE";
    EXPECT_EQ(place_of(offer).country, "BE");
}

} // namespace
} // namespace costcurve::model
