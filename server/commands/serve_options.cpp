// The settings of `costcurve serve`: each a flag, an environment variable and a line of the config file.
#include <cstdlib>
#include <set>

#include "server/commands/option_rows.hpp"

namespace costcurve::commands {

namespace {

// A number of the service, with its environment variable and range.
void add_setting(CLI::App& verb, const char* flag, auto& value, const char* help, const char* variable, auto min,
                 decltype(min) max) {
    verb.add_option(flag, value, help)->envname(variable)->check(CLI::Range(min, max))->capture_default_str();
}

void add_question_limits(CLI::App& verb, api::QuestionLimits& limits) {
    add_setting(verb, "--long-questions", limits.max_concurrent, "long questions at once; beyond them 503",
                "COSTCURVE_LONG_QUESTIONS", 1, 64);
    add_setting(verb, "--question-threads", limits.threads, "threads of a long question; 0 is one a core",
                "COSTCURVE_QUESTION_THREADS", 0, 256);
    add_setting(verb, "--question-seconds", limits.seconds, "seconds that a long question may take", "COSTCURVE_QUESTION_SECONDS",
                1.0, 86400.0);
    add_setting(verb, "--max-samples", limits.samples, "samples of a simulation", "COSTCURVE_MAX_SAMPLES", 2.0, 1e8);
    add_setting(verb, "--max-plans", limits.plans, "plans that an optimizer evaluates", "COSTCURVE_MAX_PLANS", 1.0, 1e8);
    add_setting(verb, "--max-cells", limits.cells, "values of a map: x times y times scenarios", "COSTCURVE_MAX_CELLS", 1.0, 1e8);
}

// CLI11 reads the file before the environment, and would let the file win; of a repeated line it would take the first.
class SettingsFile : public CLI::ConfigTOML {
public:
    explicit SettingsFile(const CLI::App& app) : app_(app) {}

    std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
        std::vector<CLI::ConfigItem> items = CLI::ConfigTOML::from_config(input);
        std::set<std::string> names;
        for (const CLI::ConfigItem& item : items) {
            if (!item.inputs.empty() && !names.insert(item.fullname()).second) {
                throw CLI::ConfigError("the file of settings has two lines of " + item.fullname() + "; leave one");
            }
        }
        std::erase_if(items, [this](const CLI::ConfigItem& item) { return is_in_environment(item); });
        return items;
    }

private:
    [[nodiscard]] bool is_in_environment(const CLI::ConfigItem& item) const {
        const CLI::App* verb = &app_;
        for (const std::string& parent : item.parents) {
            const auto named = verb->get_subcommands([&parent](const CLI::App* inner) { return inner->get_name() == parent; });
            if (named.empty()) {
                return false;
            }
            verb = named.front();
        }
        const CLI::Option* option = verb->get_option_no_throw("--" + item.name);
        return option != nullptr && !option->get_envname().empty() && std::getenv(option->get_envname().c_str()) != nullptr;
    }

    const CLI::App& app_;
};

} // namespace

void add_settings_file(CLI::App& app) {
    // CLI11 2.1 has read the file by the time it looks at the variable that names it: so the variable is the default.
    const char* named = std::getenv("COSTCURVE_CONFIG");
    const std::string file = named == nullptr ? "" : named;
    app.set_config("--config", file, "file of settings: [serve] and a line name=value each", !file.empty())
        ->envname("COSTCURVE_CONFIG");
    app.config_formatter(std::make_shared<SettingsFile>(app));
}

void add_serve(CLI::App& verb, ServeOptions& options) {
    add_database(verb, options.database);
    verb.add_option("--max-database-mb", options.database.max_mb, "size at which writes are refused; 0 is no limit")
        ->envname("COSTCURVE_MAX_DATABASE_MB")
        ->check(CLI::NonNegativeNumber);
    verb.add_option("--host", options.host, "address to listen on")->envname("COSTCURVE_HOST")->capture_default_str();
    add_setting(verb, "--port", options.port, "port; 0 takes any that is free", "COSTCURVE_PORT", 0, 65535);
    add_setting(verb, "--threads", options.threads, "workers; 0 is one a core", "COSTCURVE_THREADS", 0, 256);
    verb.add_flag("--require-keys", options.require_keys, "ask for API keys on 127.0.0.1 too")->envname("COSTCURVE_REQUIRE_KEYS");
    verb.add_option("--rate-limit", options.rate_limit, "requests/s of a key, beyond them 429; 0 is no limit")
        ->envname("COSTCURVE_RATE_LIMIT")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    add_setting(verb, "--telemetry-days", options.telemetry_days, "days that raw samples are kept; their hours are kept for good",
                "COSTCURVE_TELEMETRY_DAYS", 1, 3650);
    verb.add_flag("--allow-private-webhooks", options.allow_private_webhooks, "call webhooks at addresses that are not public, too")
        ->envname("COSTCURVE_ALLOW_PRIVATE_WEBHOOKS");
    add_setting(verb, "--webhook-retry-s", options.webhook_retry_s, "seconds to a delivery's second try; the others in proportion",
                "COSTCURVE_WEBHOOK_RETRY_S", 0.001, 3600.0);
    verb.add_flag("--allow-private-feeds", options.allow_private_feeds, "fetch feeds from addresses that are not public, too")
        ->envname("COSTCURVE_ALLOW_PRIVATE_FEEDS");
    verb.add_option("--feed-directory", options.feed_directory, "directory below which feeds may read files; none by default")
        ->envname("COSTCURVE_FEED_DIRECTORY");
    add_setting(verb, "--feed-timeout-s", options.feed_timeout_s, "seconds that a feed's fetch may take",
                "COSTCURVE_FEED_TIMEOUT_S", 0.1, 3600.0);
    add_setting(verb, "--feed-max-mib", options.feed_max_mib, "MiB that a feed's file may have, inflated, whatever the feed allows",
                "COSTCURVE_FEED_MAX_MIB", 0.1, 1024.0);
    add_question_limits(verb, options.questions);
    verb.add_option("--cors-origin", options.cors_origins, "origins whose pages may call, such as https://planner.example")
        ->envname("COSTCURVE_CORS_ORIGIN")
        ->delimiter(',');
    verb.add_option("--allowed-host", options.allowed_hosts, "names that a request without a key may read by, beside local ones")
        ->envname("COSTCURVE_ALLOWED_HOST")
        ->delimiter(',');
    verb.add_option("--log-level", options.log_level, "trace, debug, info, warn, error or off; SIGHUP reads it again")
        ->envname("COSTCURVE_LOG_LEVEL")
        ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
        ->capture_default_str();
    verb.add_option("--log-format", options.log_format, "text or json")
        ->envname("COSTCURVE_LOG_FORMAT")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
}

} // namespace costcurve::commands
