// Events as sentences, and as chats take them: every kind, figures as people read them, texts that can't be mistaken for markup.
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/outgoing/messages.hpp"

namespace costcurve::tests {
namespace {

using nlohmann::json;

storage::Event sample_event(const std::string& kind, const std::string& subject, const json& data) {
    return {3, "2026-11-23T09:00:00.000000Z", kind, subject, data.dump()};
}

json standing_of(const json& cheapest, const json& figure, const json& problem = nullptr) {
    return {{"recalculation", "2"}, {"objective", "npv"}, {"currency", "USD"},
            {"cheapest", cheapest}, {"figure", figure},   {"problem", problem}};
}

TEST(Messages, TellEveryKindOfEventInASentence) {
    const json owned = standing_of("owned", 1739220.8784300329);
    const json rented = standing_of("rented", 1652730.9286909725);
    const json run = {{"state", "done"}, {"schedule", "nightly"}, {"evaluated", 12},
                      {"unchanged", 3},  {"failed", 0},           {"total", 15}};
    json energy = {{"objective", "energy_kwh"}, {"currency", nullptr}, {"scenario", "rented"},
                   {"budget", 900.0},           {"before", nullptr},   {"figure", 950.25}};
    const json none = standing_of(nullptr, nullptr, "the currencies differ");
    const struct {
        const char* kind;
        const char* subject;
        json data;
        const char* sentence;
    } rows[] = {
        {"ping", "webhook/chat", json::object(), "costcurve reaches this channel: a test of webhook/chat."},
        {"recalculation_done", "recalculation/7", run,
         "recalculation/7 of schedule nightly is done: 12 evaluated, 3 unchanged, 0 failed, of 15."},
        {"comparison_flipped",
         "comparison/serving",
         {{"before", owned}, {"now", rented}},
         "comparison/serving: rented is the cheapest now (NPV 1,652,731 USD); before it was owned (NPV 1,739,221 USD)."},
        {"comparison_flipped",
         "comparison/serving",
         {{"before", owned},
          {"now", rented},
          {"because", {{{"scenario", "rented"}, {"why", "the price of a device-hour of rented fell from 3.99 to 2.99 USD"}}}}},
         "comparison/serving: rented is the cheapest now (NPV 1,652,731 USD); before it was owned (NPV 1,739,221 USD). Why: the "
         "price of a device-hour of rented fell from 3.99 to 2.99 USD."},
        {"comparison_changed",
         "comparison/serving",
         {{"before", owned}, {"now", standing_of("owned", 1565298.79)}},
         "comparison/serving: owned stays the cheapest, and its NPV went from 1,739,221 USD to 1,565,299 USD (-10.0 %)."},
        {"comparison_infeasible",
         "comparison/serving",
         {{"before", owned}, {"now", rented}},
         "comparison/serving: owned, the cheapest so far, can't do its work any more; rented is the cheapest now (NPV 1,652,731 "
         "USD)."},
        {"comparison_infeasible",
         "comparison/serving",
         {{"before", owned}, {"now", none}},
         "comparison/serving: owned, the cheapest so far, can't do its work any more; none is the cheapest now: the currencies "
         "differ."},
        {"feed_landed",
         "feed/lambda",
         {{"feed", "lambda"},
          {"run", 4},
          {"summary", {{"rows", 255}, {"samples", 0}, {"documents", {{"added", 2}, {"changed", 253}}}}}},
         "feed/lambda landed: 255 rows, 2 documents added, 253 changed."},
        {"feed_undone",
         "feed/lambda",
         {{"feed", "lambda"},
          {"run", 6},
          {"outcome", "undone by ann: 9 documents are as before, 0 deleted"},
          {"kept", json::array()}},
         "feed/lambda, run 6: undone by ann: 9 documents are as before, 0 deleted."},
        {"feed_held",
         "feed/lambda",
         {{"feed", "lambda"},
          {"run", 6},
          {"problem", "9 of 9 prices moved by about the same factor, 0.5"},
          {"held", 9},
          {"held_offers", json::array()}},
         "feed/lambda holds back 9 documents of run 6 until somebody says costcurve feed accept 6 or reject 6; 9 of 9 prices moved "
         "by "
         "about the same factor, 0.5."},
        {"feed_failed",
         "feed/lambda",
         {{"feed", "lambda"}, {"run", 5}, {"problem", "the file is empty"}},
         "feed/lambda failed, and nothing of it is stored: the file is empty."},
        {"price_moved",
         "feed/lambda",
         {{"moved",
           {{{"device", "nvidia.h100-sxm"}, {"purchase", "on_demand"}, {"offers", 31}, {"seen", 40}, {"median_fraction", -0.08}},
            {{"device", "nvidia.l4"}, {"purchase", "spot"}, {"offers", 1}, {"seen", 1}, {"median_fraction", 0.5}}}}},
         "feed/lambda: prices moved, nvidia.h100-sxm on demand -8.0 % (31 of 40 offers); nvidia.l4 spot +50.0 % (1 of 1 offers)."},
        {"drift_found",
         "scenario/serving",
         {{"pool", "gpu"},
          {"cause", "energy"},
          {"measures",
           {{{"measure", "tokens_per_joule"}, {"drifted", true}, {"change_fraction", -0.13}},
            {{"measure", "output_tokens_per_s"}, {"drifted", false}, {"change_fraction", nullptr}}}}},
         "scenario/serving: pool gpu drifts: tokens per joule -13.0 %; cause: energy."},
        {"budget_exceeded", "comparison/serving", energy,
         "comparison/serving: energy of rented is 950.2 kWh, above the budget of 900 kWh."},
    };
    std::set<std::string> kinds;
    for (const auto& row : rows) {
        EXPECT_EQ(outgoing::sentence_of(sample_event(row.kind, row.subject, row.data)), row.sentence);
        kinds.insert(row.kind);
    }
    EXPECT_EQ(kinds.size(), model::enum_names<model::EventKind>.size()) << "a kind of event has no row here";
    energy["before"] = 800.0;
    EXPECT_TRUE(
        outgoing::sentence_of(sample_event("budget_exceeded", "comparison/serving", energy)).ends_with("; before it was 800 kWh."));
}

TEST(Messages, NameMoneyAboveAThousandWithCommas) {
    const json data = {{"objective", "cost"}, {"currency", "USD"}, {"scenario", "rented"},
                       {"budget", 1000.0},    {"before", 900.0},   {"figure", 1250.0}};
    EXPECT_EQ(outgoing::sentence_of(sample_event("budget_exceeded", "comparison/serving", data)),
              "comparison/serving: cost of rented is 1,250 USD, above the budget of 1,000 USD; before it was 900 USD.");
}

TEST(Messages, OfJsonAreTheEventItself) {
    const storage::Event event = sample_event("ping", "webhook/chat", json::object());
    EXPECT_EQ(json::parse(outgoing::message_of(event, model::WebhookFormat::json)), (json{{"event", 3},
                                                                                          {"recorded_at", event.recorded_at},
                                                                                          {"kind", "ping"},
                                                                                          {"subject", "webhook/chat"},
                                                                                          {"data", json::object()}}));
}

TEST(Messages, OfSlackEscapeWhatSlackWouldRead) {
    const storage::Event event =
        sample_event("comparison_infeasible", "comparison/x",
                     {{"before", standing_of("a", 1)}, {"now", standing_of(nullptr, nullptr, "<b> & \"c\"")}});
    EXPECT_EQ(json::parse(outgoing::message_of(event, model::WebhookFormat::slack)),
              (json{{"text",
                     "comparison/x: a, the cheapest so far, can't do its work any more; none is the cheapest now: &lt;b&gt; &amp; "
                     "\"c\"."}}));
}

// https://learn.microsoft.com/connectors/teams: the request body of "When a Teams webhook request is received"
TEST(Messages, OfTeamsAreAnAdaptiveCard) {
    const json message =
        json::parse(outgoing::message_of(sample_event("ping", "webhook/<chat>", json::object()), model::WebhookFormat::teams));
    EXPECT_EQ(message.at("type"), "message");
    ASSERT_EQ(message.at("attachments").size(), 1U);
    const json& attachment = message["attachments"][0];
    EXPECT_EQ(attachment.at("contentType"), "application/vnd.microsoft.card.adaptive");
    EXPECT_EQ(attachment.at("contentUrl"), nullptr);
    EXPECT_EQ(attachment.at("content").at("type"), "AdaptiveCard");
    EXPECT_EQ(attachment["content"].at("version"), "1.4");
    const json& block = attachment["content"].at("body").at(0);
    EXPECT_EQ(block.at("type"), "RichTextBlock");
    EXPECT_EQ(block.at("inlines").at(0).at("text"), "costcurve reaches this channel: a test of webhook/<chat>.");
}

} // namespace
} // namespace costcurve::tests
