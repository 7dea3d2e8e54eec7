// The history of gpu-price-feed: the cheapest on-demand price of a GPU-hour by provider and GPU, a JSON line a run of its
// collector.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/curves.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"
#include "server/import/text/lines.hpp"

namespace costcurve::imports {

namespace {

// Lines of an older schema merge the forms of a card in one price, and have no number of a schema.
constexpr double kFeedSchema = 2.0;
constexpr std::string_view kFeedName = "toolshedlabs-hash/gpu-price-feed";
constexpr std::string_view kFormUnstated = " (form unstated)";
constexpr auto kCardForms = std::to_array<std::string_view>({"SXM", "PCIe", "NVL"});

// What the feed's method says of a provider's prices.
struct FeedProviderRow {
    std::string_view name;
    std::string_view note;
};
constexpr auto kFeedProviders = std::to_array<FeedProviderRow>({
    {"scaleway", " Published in EUR, converted to USD at the ECB rate of the day."},
    {"vastai", " The asking price of one host of a market of hosts."},
});

// "H100 80GB SXM" as its card with what follows it, and its memory.
struct FeedCard {
    std::string name;   // "H100 SXM"
    std::string memory; // such as "80GB"; "" if the key doesn't state it
    bool states_form = false;
    bool denies_form = false; // "(form unstated)"
};

FeedCard card_of(std::string_view key) {
    FeedCard card;
    card.denies_form = key.ends_with(kFormUnstated);
    key.remove_suffix(card.denies_form ? kFormUnstated.size() : 0);
    while (!key.empty()) {
        const std::size_t end = std::min(key.find(' '), key.size());
        const std::string_view word = key.substr(0, end);
        key.remove_prefix(std::min(end + 1, key.size()));
        const bool is_memory = word.size() > 2 && word.ends_with("GB") && parse_number(word.substr(0, word.size() - 2));
        card.states_form = card.states_form || std::find(kCardForms.begin(), kCardForms.end(), word) != kCardForms.end();
        if (is_memory && card.memory.empty()) {
            card.memory = word;
        } else {
            card.name += (card.name.empty() ? "" : " ") + std::string(word);
        }
    }
    return card;
}

struct CardDevice {
    std::string device; // "" where it is not known
    std::string reason; // why
};

// A key that denies a form names a device where only one form of the card is known. So does one without a form that the table has
// with one only ("A40 48GB" is a PCIe card).
CardDevice device_of_card(std::string_view key) {
    if (const std::optional<std::string> device = device_of(key)) {
        return {*device, ""};
    }
    const FeedCard card = card_of(key);
    const std::optional<std::string> plain = device_of(fmt::format("{} {}", card.name, card.memory));
    if (plain && !card.denies_form) {
        return {*plain, ""};
    }
    std::set<std::string> devices;
    if (plain) {
        devices.insert(*plain);
    }
    for (const std::string_view form : kCardForms) {
        const auto device = card.states_form ? std::nullopt : device_of(fmt::format("{} {} {}", card.name, form, card.memory));
        if (device) {
            devices.insert(*device);
        }
    }
    if (devices.size() == 1) {
        return {*devices.begin(), ""};
    }
    return {"", devices.empty() ? fmt::format("{} is a GPU that no alias knows; store an alias (/v1/aliases)", key)
                                : fmt::format("{} may be {} or {}; store an alias of the whole name (/v1/aliases)", key,
                                              *devices.begin(), *devices.rbegin())};
}

struct FeedPrice {
    double seconds = 0.0; // when it was collected
    double price = 0.0;
};
struct FeedOffer {
    std::string_view note; // of its provider
    std::string provider;  // as the feed names it
    std::string key;       // the GPU, as the feed names it
    std::string device;
    bool has_form = true;
    std::map<double, FeedPrice> days;
};

class FeedReader {
public:
    FeedReader(const Options& options, Report& report) : options_(options), report_(report) {}

    void read_line(std::string_view line, std::size_t row) {
        ++report_.rows;
        const JsonFile json(line);
        if (json.error()) {
            report_.rejected.add(row, json.error()->message);
            return;
        }
        const std::string_view text = text_of(*json.root(), "collected_at");
        const std::optional<Moment> moment = parse_moment(text);
        const auto providers = object_of(*json.root(), "cheapest");
        if (number_of(*json.root(), "schema_version").value != kFeedSchema) {
            report_.rejected.add(row, "schema_version is not 2; in older lines the forms of a card (SXM, PCIe) share one price");
        } else if (!moment || !moment->has_zone) {
            report_.rejected.add(row,
                                 fmt::format("collected_at is \"{}\"; a moment such as 2026-07-23T22:12:57+00:00 is needed", text));
        } else if (!providers) {
            report_.rejected.add(row, "cheapest is no object of providers, of GPUs, of prices");
        } else {
            is_any_good_ = true;
            for (const auto provider : *providers) {
                read_provider(provider.key, provider.value, *moment, row);
            }
        }
    }

    HardError finish() {
        if (!is_any_good_) {
            return hard_error(model::Code::bad_format, report_.rejected.first.empty() ? 0 : report_.rejected.first[0].row,
                              report_.rejected.first.empty() ? "the file is empty; JSON lines of gpu-price-feed are needed"
                                                             : report_.rejected.first[0].reason);
        }
        for (const auto& [id, offer] : offers_) {
            const auto [row, day] = newest_.at(offer.provider);
            if (offer.days.rbegin()->first < day) {
                report_.warnings.add(row, fmt::format("{} no longer lists {}: the last price is kept since {}", offer.provider,
                                                      offer.key, model::date_text(offer.days.rbegin()->first)));
            }
            add_offer(id, offer);
        }
        return std::nullopt;
    }

private:
    void read_provider(std::string_view provider, const Json& prices, const Moment& moment, std::size_t row) {
        const auto object = object_of(prices);
        if (!object) {
            report_.rejected.add(row, fmt::format("{} is no object of prices by GPU", provider));
            return;
        }
        auto& newest = newest_[std::string(provider)];
        newest = std::max(newest, std::pair{row, day_of(moment)}, [](const auto& a, const auto& b) { return a.second < b.second; });
        for (const auto price : *object) {
            double value = 0.0;
            if (price.value.get(value) != simdjson::SUCCESS || value <= 0.0) {
                report_.rejected.add(row, fmt::format("{} {}: the price is no number above 0", provider, price.key));
            } else {
                take(provider, price.key, value, moment, row);
            }
        }
    }

    void take(std::string_view provider, std::string_view key, double price, const Moment& moment, std::size_t row) {
        const auto [known, is_new] = devices_.try_emplace(std::string(key));
        if (is_new) {
            known->second = device_of_card(key);
            if (known->second.device.empty()) {
                report_.rejected.add(row, known->second.reason); // once a file, not at each line and provider
            }
        }
        const std::string& device = known->second.device;
        if (device.empty()) {
            return;
        }
        const std::string id = make_id({provider_of(provider), gang_name(1, device), "on-demand"});
        FeedOffer& offer = offers_[id];
        if (offer.key.empty()) {
            const auto note = std::ranges::find(kFeedProviders, provider, &FeedProviderRow::name);
            offer = {note == kFeedProviders.end() ? "" : note->note,
                     std::string(provider),
                     std::string(key),
                     device,
                     !card_of(key).denies_form,
                     {}};
        }
        FeedPrice& of_day = offer.days[day_of(moment)];
        const bool is_cheaper = moment.seconds == of_day.seconds && price < of_day.price; // two spellings of one card
        if (moment.seconds > of_day.seconds || is_cheaper) {
            of_day = {moment.seconds, price};
        }
    }

    void add_offer(const std::string& id, const FeedOffer& of) const {
        const Options feed{.source = options_.source.empty() ? std::string(kFeedName) : options_.source};
        model::Offer offer = offer_of(provider_of(of.provider), fmt::format("1x {}", of.device.substr(of.device.find('.') + 1)),
                                      of.device, 1, "USD");
        offer.id = id;
        offer.source = source_of(feed, fmt::format("{} {}", of.provider, of.key)); // files are of a month each: without their names
        offer.note = fmt::format("Of one GPU, the provider's cheapest on demand; storage, egress and tax are not in it.{}{}",
                                 of.note, of.has_form ? "" : " The form of the card is not stated.");
        offer.hourly_price.curve = price_curve();
        for (const auto& [day, price] : of.days) {
            append_point(*offer.hourly_price.curve, day, price.price);
        }
        report_.add(std::move(offer));
    }

    const Options& options_;
    Report& report_;
    std::map<std::string, CardDevice> devices_;                                 // by key
    std::map<std::string, FeedOffer> offers_;                                   // by id
    std::map<std::string, std::pair<std::size_t, double>, std::less<>> newest_; // row and day of a provider's newest prices
    bool is_any_good_ = false;
};

} // namespace

HardError read_gpu_price_feed(Bytes& bytes, const Options& options, Report& report) {
    Lines lines(bytes);
    FeedReader reader(options, report);
    while (lines.next()) {
        if (!lines.text().empty()) {
            reader.read_line(lines.text(), lines.row());
        }
    }
    return lines.error() ? lines.error() : reader.finish();
}

} // namespace costcurve::imports
