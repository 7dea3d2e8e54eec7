// The verbs as they are added, options that they share, and options that state a member of a request, by the member's row. Included
// by sources only: the header of the command line's library is heavy.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "model/documents/field.hpp"
#include "model/documents/renamed_fields.hpp"
#include "model/documents/text.hpp"
#include "server/answers/comparable.hpp"
#include "server/commands/commands.hpp"

namespace costcurve::commands {

template <class Names> std::vector<std::string> words_of(const Names& names) { return {names.begin(), names.end()}; }

// The environment variable of an option whose variable several verbs share. CLI11 reads the environment for every verb, parsed or
// not, the last one winning: only the one that is parsed may have it.
inline CLI::Option* read_environment(CLI::App& verb, CLI::Option* option, const char* variable) {
    static std::map<const CLI::App*, std::vector<std::pair<CLI::Option*, const char*>>>
        variables; // a verb has one callback for all
    variables[&verb].emplace_back(option, variable);
    verb.preparse_callback([&verb](std::size_t /*words*/) {
        for (const auto& [of_option, named] : variables.at(&verb)) {
            of_option->envname(named);
        }
    });
    return option;
}

inline CLI::Option* add_database(CLI::App& verb, std::string& path) {
    return read_environment(verb, verb.add_option("--database", path, "SQLite file"), "COSTCURVE_DATABASE");
}
inline void add_database(CLI::App& verb, DatabaseOptions& database) { add_database(verb, database.path)->capture_default_str(); }

inline void add_format(CLI::App& verb, std::string& format, const char* help, const std::vector<std::string>& formats) {
    read_environment(verb, verb.add_option("--format", format, help)->check(CLI::IsMember(formats)), "COSTCURVE_FORMAT");
}

// --config: a file with a line for each setting, which COSTCURVE_CONFIG names too. A flag and a variable of the environment go
// before its lines. Where it is named and isn't there, or has two lines of a setting, parsing fails.
void add_settings_file(CLI::App& app);

// What a member's row says of an option that states it.
inline std::string help_of(const model::FieldSpec& spec) {
    return fmt::format("{}{}", spec.format == model::Format::pointer ? "JSON Pointer to " : "", spec.help);
}
// CLI11's own print the largest double in words of 309 digits.
inline CLI::Validator at_least_zero(bool may_be_zero) {
    const auto check = [may_be_zero](const std::string& text) {
        const std::optional<double> number = model::read_number<double>(text);
        return number && std::isfinite(*number) && (may_be_zero ? *number >= 0.0 : *number > 0.0)
                   ? std::string()
                   : fmt::format("{} is no number{}", text, may_be_zero ? " of 0 or more" : " above 0");
    };
    return {check, may_be_zero ? "NONNEGATIVE" : "POSITIVE"};
}

inline CLI::Option* within(CLI::Option* option, const model::FieldSpec& spec) {
    if (spec.max < model::kLargest) {
        option->check(CLI::Range(spec.min, spec.max));
    } else if (spec.min == 0) {
        option->check(at_least_zero(true));
    }
    return option->required(spec.required);
}

// An option that states a member of a request R, by the member's row: its range and help, and whether it is required.
template <class R> CLI::Option* add_member(CLI::App& verb, const std::string& flag, std::string_view member, auto& value) {
    const model::FieldSpec& spec = model::spec_of(model::field_rows<R>, member);
    return within(verb.add_option(flag, value, help_of(spec)), spec);
}

// An option of NAME=NUMBER, which may be repeated, by the row of a map. Names stated twice are refused; the map's numbers are
// checked as the request's.
inline CLI::Option* add_named_numbers(CLI::App& verb, const std::string& flag, const model::FieldSpec& spec,
                                      const std::string& name, std::map<std::string, double>& numbers) {
    const auto read = [&numbers, flag](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) {
            const std::size_t equals = text.rfind('=');
            const auto number = equals == std::string::npos || equals == 0
                                    ? std::nullopt
                                    : model::read_number<double>(std::string_view(text).substr(equals + 1));
            if (!number) {
                throw CLI::ValidationError(flag, text + " is no NAME=NUMBER");
            }
            if (!numbers.emplace(text.substr(0, equals), *number).second) {
                throw CLI::ValidationError(flag, text.substr(0, equals) + " is stated twice");
            }
        }
    };
    return verb.add_option_function<std::vector<std::string>>(flag, read, fmt::format("{}: {}", name, spec.help));
}

// Flags that the verb had under another name: refused with the one of now, and left out of its help.
inline void add_renamed(CLI::App& verb, std::string_view of) {
    for (const model::RenamedField& row : model::kRenamedFields) {
        if (row.of == of) {
            const auto refuse = [&row](const std::vector<std::string>& /*values*/) {
                throw CLI::ValidationError(std::string(row.before), model::renamed_text(row.of, row.before));
            };
            verb.add_option_function<std::vector<std::string>>(std::string(row.before), refuse)->expected(0, 1)->group("");
        }
    }
}

// Of every verb that ranks.
inline void add_ignore_unserved(CLI::App& verb, bool& ignore_unserved) {
    verb.add_flag("--ignore-unserved", ignore_unserved, std::string(answers::kIgnoreUnservedSpec.help));
}

// What a verb does, told apart by the subcommand that was parsed.
using Action = std::pair<const CLI::App*, std::function<int()>>;

// The program's verbs as they are added.
struct Verbs {
    CLI::App& app;
    DatabaseOptions& database; // of those on one
    std::vector<Action> actions;
};

inline CLI::App& add(Verbs& verbs, CLI::App& parent, const std::string& name, const std::string& help,
                     std::function<int()> action) {
    CLI::App* const verb = parent.add_subcommand(name, help);
    verbs.actions.emplace_back(verb, std::move(action));
    return *verb;
}

// A verb that asks a question of scenario files, and its options.
template <class O>
std::pair<CLI::App&, O&> add_question(Verbs& verbs, const char* name, const char* help, int (*ask)(const O&),
                                      const char* files = "scenario documents", int min = 1, int max = 100) {
    const auto options = std::make_shared<O>(); // the parser writes them as long as the action may read them
    CLI::App& verb = add(verbs, verbs.app, name, help, [options, ask] { return ask(*options); });
    verb.add_option("FILE", options->files, files)->required()->expected(min, max);
    add_format(verb, options->format, "table or json", {"table", "json"});
    verb.add_option("--database", options->database, "SQLite file in which ids are looked up; none by default");
    return {verb, *options};
}

/// `compare`, `break-even`, `solve` and `sensitivity`.
void add_questions(Verbs& verbs);
/// `simulate` and `map`.
void add_long_questions(Verbs& verbs);
/// `forecast`, `drift` and `tenant-costs`.
void add_runs(Verbs& verbs);
/// `gate` and `read`.
void add_gate(Verbs& verbs);
/// The options of a ranking.
void add_rank(CLI::App& verb, RankOptions& options);
void add_rate(CLI::App& verb, RateOptions& options);
void add_measure(CLI::App& verb, MeasureOptions& options);
void add_serve(CLI::App& verb, ServeOptions& options);

} // namespace costcurve::commands
