// Prompts: instructions for an agent, with the first call built from the arguments. A table of rows.
#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/answers/rank/work_in_words.hpp"
#include "server/api/mcp/methods.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::api::mcp {

namespace {

struct PromptArgument {
    std::string_view name;
    std::string_view help;
    std::string_view pointer; ///< its place in the call's arguments; "" if it is used only in the text
    bool is_required = false;
    bool is_number = false;
    std::string_view kind = ""; ///< kind of the document whose id it is; "" if it isn't an id
};

struct Prompt {
    std::string_view name;
    std::string_view title;
    std::string_view help;
    std::string_view opening; ///< {name} stands for an argument
    std::string_view tool;    ///< tool to call first; "" for none
    std::string (*request)() = nullptr;
    std::string_view resource = ""; ///< resource sent with the prompt; {name} stands for an argument
    std::span<const PromptArgument> arguments;
    std::string_view steps;
};

std::string serving_request() {
    answers::WorkInWords work;
    work.top = 3;
    return answers::text_of(work);
}
std::string training_request() {
    answers::WorkInWords work;
    work.trains = true;
    work.tokens = 1.0;
    work.top = 3;
    return answers::text_of(work);
}
std::string explain_request() { return R"({"figure": "/total/cost", "depth": 3})"; }
std::string evaluate_request() { return "{}"; }

constexpr PromptArgument kModelArgument{"model", "the model's id, or its name on a hub", "/workloads/0/model", true, false,
                                        "model"};
constexpr PromptArgument kDecisionArgument{"decision", "the id of a stored decision", "", true, false, "decision"};
constexpr PromptArgument kScenarioArgument{"scenario", "the id of a stored scenario", "/scenario", true, false, "scenario"};

constexpr auto kServingArguments = std::to_array<PromptArgument>(
    {kModelArgument,
     {"requests_per_s", "requests a second, on average", "/workloads/0/demand/mean_per_s", true, true},
     {"input_tokens", "tokens into a request", "/workloads/0/units_per_request/input", true, true},
     {"output_tokens", "tokens out of a request", "/workloads/0/units_per_request/output", true, true},
     {"ttft_s", "seconds to the first token at most", "/workloads/0/slo/ttft_s", false, true},
     {"months", "how long it is paid for; 36 where absent", "/months", false, true},
     {"start", "the first month, YYYY-MM; this month where absent", "/start"}});
constexpr auto kTrainingArguments =
    std::to_array<PromptArgument>({kModelArgument,
                                   {"tokens", "tokens of the whole run", "/workloads/0/units_per_epoch", true, true},
                                   {"within_days", "days in which it has to end", "/workloads/0/within_days", false, true},
                                   {"sequence", "tokens of a sample", "/workloads/0/sequence", false, true}});
constexpr auto kDecisionArguments = std::to_array<PromptArgument>({kDecisionArgument});
constexpr auto kFigureArguments = std::to_array<PromptArgument>(
    {kScenarioArgument, {"figure", "JSON Pointer into the result; /total/cost where absent", "/figure"}});
constexpr auto kScenarioArguments = std::to_array<PromptArgument>({kScenarioArgument});

constexpr auto kPrompts = std::to_array<Prompt>({
    {"choose_hardware", "Choose hardware for a model", "which plan serves a model: rented, owned or hosted, and how sure that is",
     "Which hardware or hosted model should serve {model}, at {requests_per_s} requests a second of {input_tokens} "
     "tokens in and {output_tokens} out?",
     "rank", serving_request, "", kServingArguments,
     "The plans are the best first. State of the first: its name, cost and currency, cost per million output "
     "tokens, instances or servers and latencies (`replicas`), `evidence`, `oldest_price`, and every warning. A "
     "plan below it that costs less is behind for a reason, in `why`: state it. Say which plans are `tied` with "
     "the first, what `would_decide` between them, and the `assumptions` that nobody stated. What is null is not "
     "known: replace it by nothing. Where only measured rates count, call again with `\"limits\": {\"evidence\": "
     "\"measured\"}`; no plan is an answer too."},
    {"plan_training", "Plan a training run", "which gang of devices trains a model in time at the least cost",
     "Which devices should train {model} on {tokens} tokens?", "rank", training_request, "", kTrainingArguments,
     "State of the first plan: devices, `days` and `days_p90`, `probability_in_time`, cost of the run, `goodput`, "
     "`evidence`. Where no plan ends in time, `nearest_run` is the closest. Say what spot prices and interruptions "
     "are assumed to be."},
    {"why_this_plan", "Why this plan", "why a decision's cheapest plan is the cheapest, down to its inputs",
     "Why is the cheapest plan of the decision {decision} the cheapest? The decision is attached.", "", nullptr,
     "costcurve://decisions/{decision}", kDecisionArguments,
     "1. Call `compare` with its `scenarios`: cost by category, what is left undone, warnings.\n"
     "2. Of the plans that do the work take the cheapest and the next. One with unserved work is not the cheapest, "
     "whatever it costs; nor is one with `latency_unknown` where the work has an objective.\n"
     "3. Call `explain` with each of both, `\"figure\": \"/total/cost\"`, `\"depth\": 3`.\n"
     "4. State the two largest differences with both figures, their inputs and those inputs' sources."},
    {"what_would_flip", "What would flip a decision", "which inputs would have to change for another plan to win",
     "What would have to change for another plan of the decision {decision} to win? The decision is attached.", "", nullptr,
     "costcurve://decisions/{decision}", kDecisionArguments,
     "1. Call `compare` with its `scenarios`, to find the cheapest plan that does the work and the next.\n"
     "2. Call `sensitivity` with the cheapest as `scenario`, the next in `against`, and those of the decision's "
     "`ranges` as `inputs` (`pointer`, `low`, `high`) that the plan has.\n"
     "3. Of the inputs that matter most call `solve` or `map` for the value at which both cost the same.\n"
     "4. State each value beside today's, and whether it is inside of the decision's range. Where none flips it, "
     "say that."},
    {"where_a_figure_comes_from", "Where a figure comes from", "a figure of a plan as a tree of formulas and inputs",
     "Where does a figure of {scenario} come from?", "explain", explain_request, "", kFigureArguments,
     "Go down the largest terms to inputs. State each formula, each input with its unit, and who states it: "
     "`get_document` has a document's `source`."},
    {"check_prices", "Check the prices of a plan", "how old a plan's prices are, and whether newer ones are held back",
     "Are the prices of {scenario} good?", "evaluate", evaluate_request, "", kScenarioArguments,
     "`provenance` has the documents and `oldest_price`. Call `price_at` for each offer of today, and "
     "`list_import_runs`: a run with `held` above 0 has newer prices that a person has to accept or reject. State "
     "what is older than a month, and what is held."},
});

const Prompt* find_prompt(std::string_view name) {
    const auto found = std::find_if(kPrompts.begin(), kPrompts.end(), [&](const Prompt& prompt) { return prompt.name == name; });
    return found == kPrompts.end() ? nullptr : &*found;
}

// The text with each {name} replaced by its argument.
std::string filled(std::string_view text, const JsonValue& arguments) {
    std::string made(text);
    for (const auto& [name, value] : arguments.members()) {
        const std::string place = fmt::format("{{{}}}", name);
        if (const std::size_t at = made.find(place); at != std::string::npos) {
            made.replace(at, place.size(), value.text());
        }
    }
    return made;
}

// Error in an argument as a sentence; "" if it is valid.
std::string wrong_prompt_argument(const Prompt& prompt, std::string_view name, const JsonValue& value) {
    constexpr std::size_t kMaxArgument = 200; // bytes
    const auto row = std::find_if(prompt.arguments.begin(), prompt.arguments.end(),
                                  [&](const PromptArgument& argument) { return argument.name == name; });
    if (row == prompt.arguments.end()) {
        std::vector<std::string_view> names;
        std::transform(prompt.arguments.begin(), prompt.arguments.end(), std::back_inserter(names),
                       [](const PromptArgument& argument) { return argument.name; });
        return fmt::format("{} takes no argument {}; it takes {}", prompt.name, shortened(name, 60), fmt::join(names, ", "));
    }
    const std::string_view text = value.text();
    const bool is_plain = std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
    if (text.empty() || text.size() > kMaxArgument || !is_plain) {
        return fmt::format("{} is a text of 1 to {} bytes in one line: {}", name, kMaxArgument, row->help);
    }
    const auto number = row->is_number ? parse(text) : tl::unexpected(JsonError{});
    if (row->is_number && (!number || !(*number)->is_number() || (*number)->number() <= 0.0)) {
        return fmt::format("{} is {}; it takes a number above 0: {}", name, shortened(text, 60), row->help);
    }
    return "";
}

std::string wrong_prompt_arguments(const Prompt& prompt, const JsonValue& arguments) {
    for (const auto& [name, value] : arguments.members()) {
        if (std::string wrong = wrong_prompt_argument(prompt, name, value); !wrong.empty()) {
            return wrong;
        }
    }
    for (const PromptArgument& row : prompt.arguments) {
        if (row.is_required && !arguments.contains(row.name)) {
            return fmt::format("{} needs the argument {}: {}", prompt.name, row.name, row.help);
        }
    }
    return "";
}

// The first call: the tool's arguments with the prompt's arguments inserted.
std::string first_call(const Prompt& prompt, const JsonValue& arguments) {
    Schema request = Schema::parse(prompt.request());
    for (const PromptArgument& row : prompt.arguments) {
        if (const JsonValue* const value = arguments.find(row.name); value != nullptr && !row.pointer.empty()) {
            request[Schema::json_pointer(std::string(row.pointer))] =
                row.is_number ? Schema::parse(value->text()) : Schema(value->text());
        }
    }
    return fmt::format("Call `{}` with\n\n```json\n{}\n```\n\n", prompt.tool, request.dump());
}

void write_message(std::string_view type, JsonWriter& writer, auto&& write) {
    writer.begin_object().member("role", "user").key("content").begin_object().member("type", type);
    write();
    writer.end_object().end_object();
}

} // namespace

RpcResult list_prompts(Service& /*service*/, const Call& /*call*/, const JsonValue& /*parameters*/) {
    JsonWriter writer;
    writer.begin_object().key("prompts").begin_array();
    for (const Prompt& prompt : kPrompts) {
        writer.begin_object().member("name", prompt.name).member("title", prompt.title).member("description", prompt.help);
        writer.key("arguments").begin_array();
        for (const PromptArgument& row : prompt.arguments) {
            writer.begin_object().member("name", row.name).member("description", row.help).member("required", row.is_required);
            writer.end_object();
        }
        writer.end_array().end_object();
    }
    writer.end_array().end_object();
    return writer.take();
}

RpcResult get_prompt(Service& service, const Call& call, const JsonValue& parameters) {
    static const JsonValue none{std::span<const JsonMember>()};
    const Prompt* const prompt = find_prompt(text_of(parameters, "name"));
    if (prompt == nullptr) {
        return invalid_params("there is no such prompt; prompts/list names them");
    }
    const JsonValue* const given = parameters.find("arguments");
    const JsonValue& arguments = given == nullptr ? none : *given;
    if (!arguments.is_object()) {
        return invalid_params("arguments is an object of texts");
    }
    if (std::string wrong = wrong_prompt_arguments(*prompt, arguments); !wrong.empty()) {
        return invalid_params(std::move(wrong));
    }
    const std::string uri = filled(prompt->resource, arguments);
    const auto content = uri.empty() ? ResourceContent{} : content_of(service, call, uri);
    if (!content) {
        return content.error().code == RpcCode::no_resource ? invalid_params(fmt::format("there is no {}", uri))
                                                            : tl::unexpected(content.error());
    }
    JsonWriter writer;
    writer.begin_object().member("description", prompt->help).key("messages").begin_array();
    const std::string steps = prompt->request == nullptr ? "" : first_call(*prompt, arguments);
    write_message("text", writer, [&] {
        writer.member("text", fmt::format("{}\n\n{}{}", filled(prompt->opening, arguments), steps, prompt->steps));
    });
    if (!uri.empty()) {
        write_message("resource", writer, [&] {
            writer.key("resource").begin_object();
            write_content(uri, *content, writer);
            writer.end_object();
        });
    }
    writer.end_array().end_object();
    return writer.take();
}

RpcResult complete(Service& service, const Call& call, const JsonValue& parameters) {
    const JsonValue* const reference = parameters.find("ref");
    const JsonValue* const argument = parameters.find("argument");
    const std::string_view type = reference == nullptr ? std::string_view() : text_of(*reference, "type");
    if (argument == nullptr || (type != "ref/prompt" && type != "ref/resource")) {
        return invalid_params("completion/complete needs ref, of type ref/prompt or ref/resource, and argument {name, value}");
    }
    std::string_view kind;
    if (type == "ref/resource") {
        kind = kind_of_template(text_of(*reference, "uri"));
    } else if (const Prompt* const prompt = find_prompt(text_of(*reference, "name"))) {
        for (const PromptArgument& row : prompt->arguments) {
            kind = row.name == text_of(*argument, "name") ? row.kind : kind;
        }
    } else {
        return invalid_params("there is no such prompt; prompts/list names them");
    }
    const FoundIds found = kind.empty() ? FoundIds{} : find_ids(service, call, kind, text_of(*argument, "value"));
    JsonWriter writer;
    writer.begin_object().key("completion").begin_object().key("values").begin_array();
    for (const std::string& id : found.ids) {
        writer.value(id);
    }
    writer.end_array().member("hasMore", found.has_more).end_object().end_object();
    return writer.take();
}

} // namespace costcurve::api::mcp
