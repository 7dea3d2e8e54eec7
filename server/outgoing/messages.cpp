// Chat messages of events: a sentence by kind, in Slack's or Teams' envelope. They contain ids and figures alone.
#include "server/outgoing/messages.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/answers/answer.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/records.hpp"
#include "server/documents/store_entries.hpp"

namespace costcurve::outgoing {

namespace {

using model::EventKind;
using model::Objective;
using nlohmann::json;

// A figure's name in a sentence, and its unit; "" for money.
struct FigureWords {
    Objective objective;
    std::string_view name;
    std::string_view unit;
};
constexpr auto kFigureWords = std::to_array<FigureWords>({
    {Objective::cost, "cost", ""},
    {Objective::cash, "cash", ""},
    {Objective::npv, "NPV", ""},
    {Objective::npv_after_tax, "NPV after tax", ""},
    {Objective::energy_kwh, "energy", "kWh"},
    {Objective::carbon_kg, "carbon", "kg"},
});
static_assert(kFigureWords.size() == model::enum_names<Objective>.size());

// A text of an object; "" where it is null or absent.
std::string text_in(const json& object, std::string_view name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

const FigureWords& words_of(const json& standing) {
    const std::string objective = text_in(standing, "objective");
    const auto* const found = std::find_if(kFigureWords.begin(), kFigureWords.end(),
                                           [&](const FigureWords& row) { return name_of(row.objective) == objective; });
    return found != kFigureWords.end() ? *found : kFigureWords.front();
}

// Whole from 1,000 on, with commas; else four digits.
std::string readable(double value) {
    constexpr double kWhole = 1000;
    constexpr double kLargest = 1e15;
    if (std::abs(value) < kWhole || std::abs(value) >= kLargest) {
        return fmt::format("{:.4g}", value);
    }
    std::string digits = fmt::format("{:.0f}", std::abs(value));
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return (value < 0 ? "-" : "") + digits;
}

// A figure with its currency or unit: "1,652,731 USD"; "" where it is not known.
std::string amount(const json& standing, std::string_view name) {
    const auto found = standing.find(name);
    if (found == standing.end() || !found->is_number()) {
        return "";
    }
    const std::string currency = text_in(standing, "currency");
    const std::string unit = currency.empty() ? std::string(words_of(standing).unit) : currency;
    return readable(found->get<double>()) + (unit.empty() ? "" : " ") + unit;
}

// " (NPV 1,652,731 USD)"
std::string in_brackets(const json& standing) {
    const std::string figure = amount(standing, "figure");
    return figure.empty() ? "" : fmt::format(" ({} {})", words_of(standing).name, figure);
}

// "rented is the cheapest now (…)", or why no scenario is.
std::string cheapest_now(const json& now) {
    const std::string leader = text_in(now, "cheapest");
    const std::string problem = text_in(now, "problem");
    return leader.empty() ? fmt::format("none is the cheapest now{}{}", problem.empty() ? "" : ": ", problem)
                          : fmt::format("{} is the cheapest now{}", leader, in_brackets(now));
}

// " Why: the price of a device-hour of rented fell from 3.99 to 2.99 USD."; "" where the event does not say.
std::string because(const json& data) {
    std::string text;
    for (const json& reason : data.value("because", json::array())) {
        text += (text.empty() ? " Why: " : "; ") + text_in(reason, "why");
    }
    std::string undone;
    for (const json& run : data.value("undone", json::array())) {
        const std::string feed = text_in(run, "feed");
        undone += fmt::format("{} run {} of {} was undone", undone.empty() ? "" : ",", run.value("run", std::int64_t{0}),
                              feed.empty() ? "the imports" : "feed " + feed);
    }
    return (text.empty() ? "" : text + ".") + (undone.empty() ? "" : undone + ".");
}

std::string ping_sentence(const storage::Event& event, const json& /*data*/) {
    return fmt::format("costcurve reaches this channel: a test of {}.", event.subject);
}

std::string recalculation_sentence(const storage::Event& event, const json& data) {
    const auto count = [&](const char* name) { return data.value(name, std::int64_t{0}); };
    const std::string schedule = text_in(data, "schedule");
    return fmt::format("{}{} is {}: {} evaluated, {} unchanged, {} failed, of {}.", event.subject,
                       schedule.empty() ? "" : " of schedule " + schedule, text_in(data, "state"), count("evaluated"),
                       count("unchanged"), count("failed"), count("total"));
}

std::string flipped_sentence(const storage::Event& event, const json& data) {
    const json& before = data.at("before");
    return fmt::format("{}: {}; before it was {}{}.{}", event.subject, cheapest_now(data.at("now")), text_in(before, "cheapest"),
                       in_brackets(before), because(data));
}

std::string changed_sentence(const storage::Event& event, const json& data) {
    const json& before = data.at("before");
    const json& now = data.at("now");
    const json was = before.value("figure", json());
    const json is = now.value("figure", json());
    const bool has_ratio = was.is_number() && is.is_number() && was.get<double>() != 0.0;
    return fmt::format(
        "{}: {} stays the cheapest, and its {} went from {} to {}{}.{}", event.subject, text_in(now, "cheapest"),
        words_of(now).name, amount(before, "figure"), amount(now, "figure"),
        has_ratio ? fmt::format(" ({:+.1f} %)", 100 * (is.get<double>() - was.get<double>()) / std::abs(was.get<double>())) : "",
        because(data));
}

std::string infeasible_sentence(const storage::Event& event, const json& data) {
    return fmt::format("{}: {}, the cheapest so far, can't do its work any more; {}.{}", event.subject,
                       text_in(data.at("before"), "cheapest"), cheapest_now(data.at("now")), because(data));
}

std::string budget_sentence(const storage::Event& event, const json& data) {
    const std::string before = amount(data, "before");
    return fmt::format("{}: {} of {} is {}, above the budget of {}{}.", event.subject, words_of(data).name,
                       text_in(data, "scenario"), amount(data, "figure"), amount(data, "budget"),
                       before.empty() ? "" : fmt::format("; before it was {}", before));
}

std::string feed_landed_sentence(const storage::Event& event, const json& data) {
    const json& summary = data.at("summary");
    const json& documents = summary.at("documents");
    const auto count = [](const json& object, const char* name) { return object.value(name, std::int64_t{0}); };
    const std::int64_t samples = count(summary, "samples");
    return fmt::format("{} landed: {} rows, {} documents added, {} changed{}.", event.subject, count(summary, "rows"),
                       count(documents, "added"), count(documents, "changed"),
                       samples > 0 ? fmt::format(", {} samples", samples) : "");
}

std::string feed_failed_sentence(const storage::Event& event, const json& data) {
    return fmt::format("{} failed, and nothing of it is stored: {}.", event.subject, text_in(data, "problem"));
}

// "feed/lambda: nvidia.h100-sxm on demand -8.0 % (31 of 40 offers); …": the first groups, which have the most offers.
std::string price_moved_sentence(const storage::Event& event, const json& data) {
    constexpr std::size_t kShown = 5;
    std::string groups;
    const json& moved = data.at("moved");
    for (std::size_t i = 0; i < std::min(moved.size(), kShown); ++i) {
        const json& group = moved[i];
        std::string purchase = text_in(group, "purchase");
        std::replace(purchase.begin(), purchase.end(), '_', ' ');
        groups += fmt::format("{}{} {} {:+.1f} % ({} of {} offers)", groups.empty() ? "" : "; ", text_in(group, "device"), purchase,
                              100 * group.value("median_fraction", 0.0), group.value("offers", std::int64_t{0}),
                              group.value("seen", std::int64_t{0}));
    }
    return fmt::format("{}: prices moved, {}{}.", event.subject, groups,
                       moved.size() > kShown ? fmt::format(", and of {} more", moved.size() - kShown) : "");
}

std::string feed_held_sentence(const storage::Event& event, const json& data) {
    const std::string problem = text_in(data, "problem");
    json held = data.at("held_offers");
    for (const json& document : data.value("held_documents", json::array())) {
        held.push_back(document);
    }
    const std::string name = held.empty() ? "" : text_in(held[0], "offer") + text_in(held[0], "id");
    const std::string reason = !problem.empty() ? problem : held.empty() ? "" : name + ": " + text_in(held[0], "reason");
    const auto run = data.value("run", std::int64_t{0});
    return fmt::format("{} holds back {} document{} of run {} until somebody says costcurve feed accept {} or reject {}{}.",
                       event.subject, data.value("held", std::int64_t{0}), data.value("held", std::int64_t{0}) == 1 ? "" : "s", run,
                       run, run, reason.empty() ? "" : "; " + reason);
}

std::string feed_undone_sentence(const storage::Event& event, const json& data) {
    return fmt::format("{}, run {}: {}.", event.subject, data.value("run", std::int64_t{0}), text_in(data, "outcome"));
}

// "scenario/chat: pool gpu drifts: tokens per joule -13.0 %; cause: energy."
std::string drift_sentence(const storage::Event& event, const json& data) {
    std::string causes;
    for (const json& measure : data.value("measures", json::array())) {
        if (measure.value("drifted", false)) {
            std::string name = text_in(measure, "measure");
            std::replace(name.begin(), name.end(), '_', ' ');
            const json change = measure.value("change_fraction", json());
            causes += fmt::format("{}{}{}", causes.empty() ? "" : ", ", name,
                                  change.is_number() ? fmt::format(" {:+.1f} %", 100 * change.get<double>()) : "");
        }
    }
    return fmt::format("{}: pool {} drifts: {}; cause: {}.", event.subject, text_in(data, "pool"), causes, text_in(data, "cause"));
}

struct Sentence {
    EventKind kind;
    std::string (*make)(const storage::Event& event, const json& data);
};
constexpr auto kSentences = std::to_array<Sentence>({
    {EventKind::ping, ping_sentence},
    {EventKind::recalculation_done, recalculation_sentence},
    {EventKind::comparison_flipped, flipped_sentence},
    {EventKind::comparison_changed, changed_sentence},
    {EventKind::comparison_infeasible, infeasible_sentence},
    {EventKind::budget_exceeded, budget_sentence},
    {EventKind::feed_landed, feed_landed_sentence},
    {EventKind::feed_failed, feed_failed_sentence},
    {EventKind::price_moved, price_moved_sentence},
    {EventKind::feed_held, feed_held_sentence},
    {EventKind::feed_undone, feed_undone_sentence},
    {EventKind::drift_found, drift_sentence},
});
static_assert(kSentences.size() == model::enum_names<EventKind>.size(), "each kind of event has a sentence");

// https://api.slack.com/reference/surfaces/formatting, "Escaping text"
std::string escaped_for_slack(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    }
    return out;
}

std::string slack_message(std::string_view sentence) {
    JsonWriter out;
    out.begin_object().member("text", escaped_for_slack(sentence)).end_object();
    return out.take();
}

// https://learn.microsoft.com/power-automate/teams/send-a-message-in-teams: "When a Teams webhook request is received"
std::string teams_message(std::string_view sentence) {
    JsonWriter out;
    out.begin_object().member("type", "message").key("attachments").begin_array();
    out.begin_object().member("contentType", "application/vnd.microsoft.card.adaptive").key("contentUrl").null();
    out.key("content").begin_object().member("$schema", "http://adaptivecards.io/schemas/adaptive-card.json");
    out.member("type", "AdaptiveCard").member("version", "1.4").key("body").begin_array();
    out.begin_object().member("type", "RichTextBlock").key("inlines").begin_array();
    out.begin_object().member("type", "TextRun").member("text", sentence).end_object();
    out.end_array().end_object().end_array().end_object().end_object().end_array().end_object();
    return out.take();
}

} // namespace

std::string sentence_of(const storage::Event& event) {
    const auto* const row =
        std::find_if(kSentences.begin(), kSentences.end(), [&](const Sentence& it) { return name_of(it.kind) == event.kind; });
    const auto data = parse_json(event.body);
    // of another version's store
    return row == kSentences.end() || !data ? fmt::format("{}: {}.", event.subject, event.kind) : row->make(event, *data);
}

std::string message_of(const storage::Event& event, model::WebhookFormat format) {
    switch (format) {
    case model::WebhookFormat::slack:
        return slack_message(sentence_of(event));
    case model::WebhookFormat::teams:
        return teams_message(sentence_of(event));
    case model::WebhookFormat::json:
        break;
    }
    return answers::encode_answer(event);
}

std::string delivery_body(const storage::DocumentStore& store, const storage::DueDelivery& delivery) {
    const std::optional<storage::Revision> revision = store.snapshot()->load({storage::Kind::webhook, delivery.webhook});
    const auto format =
        revision ? std::get<model::Webhook>(documents::decode_revision(*revision)).format : model::WebhookFormat::json;
    return message_of(delivery.event, format);
}

} // namespace costcurve::outgoing
