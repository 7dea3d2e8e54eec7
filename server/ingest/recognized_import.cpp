// Imports a file whose format isn't given. The file's name helps where its content leaves an option open.
#include "server/ingest/recognized_import.hpp"

#include <fmt/format.h>

namespace costcurve::ingest {

namespace {

using model::Code;

std::string names_of(const std::vector<imports::Recognized>& found) {
    std::string names;
    for (const imports::Recognized& one : found) {
        names += (names.empty() ? "" : ", ") + std::string(one.format->name);
    }
    return names;
}

model::Failure about_format(Code code, std::string message) { return {{"/format", code, std::move(message)}}; }

// Where the format needs or heeds it and nothing is given.
void fill(const imports::Format& format, std::string_view option, std::string& value, const std::string& otherwise) {
    if (value.empty() && imports::heeds(format, option)) {
        value = otherwise;
    }
}

} // namespace

model::Failure recognize_import(ImportRequest& request, const std::vector<imports::NamedText>& files,
                                const imports::AddedNames& names) {
    std::size_t bytes = 0;
    for (const imports::NamedText& file : files) {
        bytes += file.text.size();
    }
    if (bytes > imports::kMaxRecognized) {
        return about_format(Code::missing,
                            fmt::format("format is missing; a file of {} bytes is not tried with all of them", bytes));
    }
    imports::Options given = request.options;
    given.names = &names;
    const std::vector<imports::Recognized> found = imports::recognize(files, given);
    if (found.empty()) {
        return about_format(Code::missing,
                            "format is missing, and no reader understands the file; docs/imports.md lists the formats");
    }
    if (found.size() > 1) {
        return about_format(Code::missing,
                            fmt::format("format is missing, and the file can be read as any of: {}", names_of(found)));
    }
    request.format = found.front().format;
    request.merge.dry_run = true;
    const std::string name = files.empty() ? "" : files.front().name;
    fill(*request.format, "provider", request.options.provider, imports::provider_in_name(name));
    fill(*request.format, "date", request.options.date, imports::date_in_name(name));
    request.recognized = RecognizedAs{request.format->name, request.options.provider, request.options.date};
    given = request.options;
    given.names = &names;
    model::Failure issues = imports::check_options(*request.format, given);
    for (model::Issue& issue : issues) {
        issue.message = fmt::format("it was taken for {}: {}", request.format->name, issue.message);
    }
    return issues;
}

std::string wrong_with_date(const imports::Format& format, const std::string& date, std::string_view file) {
    const std::string of_name = imports::needs(format, "date") ? imports::date_in_name(file) : "";
    return of_name.empty() || of_name == date
               ? ""
               : fmt::format("date is {}, and the file is called {}; give {}, or force", date, file, of_name);
}

} // namespace costcurve::ingest
