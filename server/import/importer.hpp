// The table of formats: a name, what it reads, and the pure function that turns bytes into documents.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/failure.hpp"
#include "server/import/report.hpp"
#include "server/import/text/bytes.hpp"

namespace costcurve::imports {

class AddedNames;

/// What the file itself does not state. Empty: not given.
struct Options {
    std::string name = {};             ///< of the file, without its folders; part of `source` and of ids
    std::string source = {};           ///< where the file is from: repository and commit, or URL; `name` where it is not given
    std::string date = {};             ///< YYYY-MM-DD: when prices without a date of their own were valid
    std::string provider = {};         ///< of price lists that do not name one
    std::string region = {};           ///< of price lists and bills that do not name one
    std::string currency = {};         ///< of price lists that do not name one
    std::string device = {};           ///< alias or id of a device, for files about one device that do not name it
    std::string devices = {};          ///< how many of it, a whole number
    std::string model = {};            ///< id of the model that results are of, for files that do not name it
    std::string time_zone = {};        ///< IANA zone of local times
    std::string unit = {};             ///< kWh or MWh: what prices of energy are per, where the header does not say
    std::string tdp_w = {};            ///< thermal design power of the device, for files that do not state it
    std::string id = {};               ///< of the one curve or document that the file becomes; of several, how their ids begin
    std::optional<double> today = {};  ///< days since 1970-01-01 UTC; a bill has no usage of later days. Unset: any day is read
    const AddedNames* names = nullptr; ///< of devices, that a user added to the built-in ones; must outlive the reading
};

/// One option per row, for the command line, the query of POST /v1/imports, and the docs.
struct OptionRow {
    std::string_view name;
    std::string Options::*member;
    std::string_view help;
    bool (*is_valid)(std::string_view value) = nullptr; ///< of what is given; null: any text
    model::Code code = model::Code::bad_format;         ///< of the issue where it is not valid
    std::string_view advice = "";
};
[[nodiscard]] std::span<const OptionRow> import_options();

/// Why the whole file is refused: a code, and a message that begins with the row if there is one.
using HardError = std::optional<model::Issue>;

/// One file of a set, as text.
struct NamedText {
    std::string name; ///< without folders
    std::string text;
};

/// One import format per row.
struct Format {
    std::string_view name;  ///< slug: part of the command line and of the query
    std::string_view help;  ///< what files it reads
    std::string_view needs; ///< options that it can't do without, separated by spaces
    std::string_view takes; ///< others that it heeds
    /// Reads the whole file; returns why it had to stop. After such an error everything reported before is void.
    HardError (*read)(Bytes& bytes, const Options& options, Report& report) = nullptr;
    /// Used instead of `read` if several files belong together (a log and its system's description). Their order doesn't matter.
    HardError (*read_set)(std::span<const NamedText> files, const Options& options, Report& report) = nullptr;
};
[[nodiscard]] std::span<const Format> formats();

/// The format with this name; null if there is none.
[[nodiscard]] const Format* find_format(std::string_view name);

/// Whether the format requires an option (needs), or uses it (heeds).
[[nodiscard]] bool needs(const Format& format, std::string_view option);
[[nodiscard]] bool heeds(const Format& format, std::string_view option);

/// Missing or malformed options for a format, with the option's name as pointer ("/date").
[[nodiscard]] model::Failure check_options(const Format& format, const Options& options);

/// Reads a file, gzipped or not. The options must have been checked.
[[nodiscard]] HardError read_file(const Format& format, Bytes& bytes, const Options& options, Report& report);
/// Reads a set of files. The format must have `read_set`.
[[nodiscard]] HardError read_files(const Format& format, std::span<const NamedText> files, const Options& options, Report& report);

/// The `source` of a document: origin and name of the file, and the row or entry in it ("": none).
[[nodiscard]] std::string source_of(const Options& options, std::string_view entry = "");

/// An error that refuses the file; row 0 means the whole file.
[[nodiscard]] model::Issue hard_error(model::Code code, std::size_t row, std::string_view message);

} // namespace costcurve::imports
