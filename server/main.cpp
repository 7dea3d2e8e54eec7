// The program: the command line does the rest.
#include <exception>

#include <fmt/format.h>

#include "server/commands/run.hpp"

int main(int argc, char** argv) {
    try {
        return costcurve::commands::run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "costcurve: {}\n", error.what());
        return costcurve::commands::kWorldFailed;
    }
}
