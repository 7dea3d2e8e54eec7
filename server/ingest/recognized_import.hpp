// An import whose format nobody named.
#pragma once

#include <vector>

#include "server/import/recognize.hpp"
#include "server/ingest/import_files.hpp"

namespace costcurve::ingest {

/// Fills in the format, and the provider and the date that the file's name says, and makes it a dry run. Issues: the file is too
/// large to be tried, no reader understands it, several do alike, or an option is missing that the format needs.
[[nodiscard]] model::Failure recognize_import(ImportRequest& request, const std::vector<imports::NamedText>& files,
                                              const imports::AddedNames& names);

/// Whether the date that is given is another than the file's name says; "" where it is not, else a sentence.
[[nodiscard]] std::string wrong_with_date(const imports::Format& format, const std::string& date, std::string_view file);

} // namespace costcurve::ingest
