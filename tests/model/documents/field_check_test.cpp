// Documents that a program made, against the ranges of their field tables.
#include "model/documents/field_check.hpp"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace costcurve::model {
namespace {

Device good_device() {
    Device device;
    device.id = "nvidia.t4";
    device.tdp_w = 70;
    return device;
}

Offer good_offer() {
    Offer offer;
    offer.id = "o";
    offer.provider = "p";
    offer.device.id = "nvidia.t4";
    offer.device.stored.is_reference = true;
    offer.hourly_price.curve.emplace();
    offer.hourly_price.curve->x = {1, 2};
    offer.hourly_price.curve->y = {3, 4};
    return offer;
}

// "code pointer" of each issue.
template <class T> std::vector<std::string> faults(const T& document) {
    std::vector<std::string> found;
    for (const Issue& issue : check_fields(document)) {
        found.push_back(std::string(code_name(issue.code)) + " " + issue.pointer);
        EXPECT_FALSE(issue.message.empty());
    }
    return found;
}

using Faults = std::vector<std::string>;

TEST(CheckFields, FindNothingInGoodDocuments) {
    EXPECT_EQ(faults(good_device()), Faults{});
    EXPECT_EQ(faults(good_offer()), Faults{});
}

TEST(CheckFields, NameEachFieldThatIsOutOfRangeOrMissing) {
    Device device;
    device.id = "Not A Slug";
    device.memory_gib = 0;
    device.peak_flops = {{"bf16", -1}};
    device.released.text = "2026-13-01";
    device.note = std::string(kMaxTextBytes + 1, 'n');
    EXPECT_EQ(faults(device), (Faults{"bad_format /id", "out_of_range /note", "out_of_range /memory_gib", "out_of_range /tdp_w",
                                      "out_of_range /peak_flops/bf16", "bad_format /released"}));
    Offer offer = good_offer();
    offer.provider.clear();
    offer.currency = "usd";
    offer.upfront = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(faults(offer), (Faults{"missing /provider", "out_of_range /upfront", "bad_format /currency"}));
}

TEST(CheckFields, KnowTheLongestNameThatOffersAreFilteredBy) {
    Offer offer = good_offer();
    offer.provider = std::string(kMaxNameBytes, 'p');
    offer.region = std::string(kMaxNameBytes, 'r');
    EXPECT_EQ(faults(offer), Faults{});
    offer.provider += 'p';
    offer.region += 'r';
    EXPECT_EQ(faults(offer), (Faults{"out_of_range /provider", "out_of_range /region"}));
    EXPECT_EQ(check_fields(offer).front().message, "provider has 257 bytes; allowed up to 256");
}

TEST(CheckFields, SayTheRangeAndTheUnit) {
    Device device = good_device();
    device.tdp_w = 0;
    EXPECT_EQ(check_fields(device).front().message, "tdp_w is 0 W; allowed 1 to 20000 W");
}

TEST(CheckFields, PointToTheFaultyPointOfACurve) {
    Offer offer = good_offer();
    offer.hourly_price.curve->y[1] = -1;
    EXPECT_EQ(faults(offer), Faults{"out_of_range /hourly_price/points/1/1"});
    offer = good_offer();
    offer.hourly_price.curve->x[1] = 1;
    EXPECT_EQ(faults(offer), Faults{"not_ascending /hourly_price/points/1/0"});
    offer = good_offer();
    offer.hourly_price.curve->x.clear();
    EXPECT_EQ(faults(offer), Faults{"out_of_range /hourly_price/points"});
    offer = good_offer();
    offer.hourly_price.curve->kind = CurveKind::power;
    EXPECT_EQ(faults(offer), Faults{"unknown_value /hourly_price/kind"});
}

TEST(CheckFields, LookInsideOfPartsAndAskReferencesForAnId) {
    Offer offer = good_offer();
    offer.device.id = "No";
    offer.site.emplace().pue.number = 0.5;
    EXPECT_EQ(faults(offer), (Faults{"unknown_reference /device", "out_of_range /site/pue"}));
}

TEST(IsStated, IsTrueOfRequiredFieldsAndOfWhatIsNotAtItsDefault) {
    Performance performance;
    performance.itl_s.emplace().number = 0;
    std::vector<std::string> stated;
    for_each_field<Performance>([&](const auto& field) {
        if (is_stated(performance, field)) {
            stated.emplace_back(field.name);
        }
    });
    EXPECT_EQ(stated, (std::vector<std::string>{"devices", "itl_s"}));
}

} // namespace
} // namespace costcurve::model
