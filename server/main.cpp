// The command line: one table of verbs and options, then the verb does its work.
#include <CLI/CLI.hpp>

#include "model/version.hpp"
#include "server/commands/commands.hpp"

int main(int argc, char** argv) {
    using namespace costcurve::commands;
    CLI::App app("What AI accelerators really cost: per epoch, per inference, in the cloud, owned or mixed.", "costcurve");
    app.set_version_flag("--version", "costcurve model " + std::string(costcurve::model::kModelVersion));
    app.require_subcommand(1);

    EvaluateOptions evaluate_options;
    CLI::App* const evaluate_verb = app.add_subcommand("evaluate", "evaluate complete scenario documents, side by side");
    evaluate_verb->add_option("FILE", evaluate_options.files, "scenario documents; - is standard input")->required();
    evaluate_verb
        ->add_option("--format", evaluate_options.format, "table, json (a line a scenario) or csv (the ledger, FOCUS columns)")
        ->check(CLI::IsMember({"table", "json", "csv"}))
        ->envname("COSTCURVE_FORMAT");
    evaluate_verb->add_flag("--ledger", evaluate_options.ledger, "json: add the ledger's rows");

    ServeOptions serve_options;
    CLI::App* const serve_verb = app.add_subcommand("serve", "answer over HTTP");
    serve_verb->add_option("--host", serve_options.host, "address to listen on")->envname("COSTCURVE_HOST")->capture_default_str();
    serve_verb->add_option("--port", serve_options.port, "port; 0 takes any that is free")
        ->envname("COSTCURVE_PORT")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    serve_verb->add_option("--log-level", serve_options.log_level, "trace, debug, info, warn, error or off")
        ->envname("COSTCURVE_LOG_LEVEL")
        ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
        ->capture_default_str();

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) { return app.exit(error) == 0 ? kDone : kWrongInput; }
    if (evaluate_verb->parsed()) {
        return evaluate(evaluate_options);
    }
    return serve(serve_options);
}
