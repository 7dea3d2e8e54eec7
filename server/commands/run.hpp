// The command line as the program starts it, without the verbs' options, whose headers are heavy.
#pragma once

namespace costcurve::commands {

/// Exit statuses: 0 done, 1 the world failed (a file, a port, the database), 2 a document or option is wrong.
enum ExitStatus { kDone = 0, kWorldFailed = 1, kWrongInput = 2 };

/// Parses the command line and does its verb.
[[nodiscard]] int run(int argc, const char* const* argv);

} // namespace costcurve::commands
