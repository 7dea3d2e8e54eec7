// Lines of a text that comes in blocks. Only a line that crosses blocks is copied.
#include "server/import/text/lines.hpp"

#include <fmt/format.h>

#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

void Lines::fail(model::Code code, std::string_view message) {
    if (!error_) {
        error_ = hard_error(code, row_, message);
    }
    ended_ = true;
}

bool Lines::next() {
    if (ended_) {
        return false;
    }
    ++row_;
    begun_.clear();
    for (;;) {
        const std::size_t end = block_.find('\n');
        const std::string_view piece = block_.substr(0, end);
        if (begun_.size() + piece.size() > kMaxLine) {
            fail(model::Code::too_large, fmt::format("the line is longer than {} bytes", kMaxLine));
            return false;
        }
        if (end != std::string_view::npos) {
            text_ = begun_.empty() ? piece : std::string_view(begun_.append(piece));
            block_.remove_prefix(end + 1);
            break;
        }
        begun_ += piece;
        block_ = bytes_.next();
        if (block_.empty()) {
            ended_ = true;
            error_ = bytes_.error();
            text_ = begun_;
            if (error_ || begun_.empty()) {
                return false;
            }
            break;
        }
    }
    if (text_.ends_with('\r')) {
        text_.remove_suffix(1);
    }
    if (!is_utf8(text_)) {
        fail(model::Code::bad_format, "it is not UTF-8; save the file as UTF-8");
        return false;
    }
    return true;
}

} // namespace costcurve::imports
