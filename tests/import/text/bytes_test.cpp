// Bytes of files: marks, gzip, and what fuzzing found in them.
#include <gtest/gtest.h>

#include "server/import/text/bytes.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {
namespace {

// printf '\xef\xbb\xbfa,b\n1,2\n' | gzip -n
constexpr std::string_view kMarkedGzip(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x7b\xbf\x7b\x7f\xa2\x4e\x12\x97\xa1\x8e\x11\x17\x00\x1d\x41\x34\x51\x0b\x00\x00\x00",
    31);

std::optional<std::string> read_in_blocks(std::string_view text, std::size_t size) {
    Bytes bytes([text, size]() mutable {
        const std::string_view block = text.substr(0, size);
        text.remove_prefix(block.size());
        return block;
    });
    return bytes.whole();
}

// Found by fuzzing: with small blocks the mark came out byte by byte, and stayed in the first column's name.
TEST(Bytes, LoseTheMarkOfAGzipFileInAnyBlocks) {
    for (std::size_t size = 1; size < 40; ++size) {
        EXPECT_EQ(read_in_blocks(kMarkedGzip, size), "a,b\n1,2\n") << size;
    }
}

TEST(Bytes, OfAGzipFileThatIsCutOffAreRefusedInAnyBlocks) {
    for (std::size_t size = 1; size < 40; ++size) {
        EXPECT_FALSE(read_in_blocks(kMarkedGzip.substr(0, kMarkedGzip.size() - 9), size)) << size;
        EXPECT_FALSE(read_in_blocks(kMarkedGzip.substr(0, 5), size)) << size;
    }
}

// Found by fuzzing: an empty block was searched at a null pointer.
TEST(Bytes, OfAnEmptyFileAreNone) { EXPECT_EQ(read_in_blocks("", 1), ""); }

// Found by fuzzing: both halves together were the euro sign.
TEST(Table, RefusesACharacterThatIsSplitOverTwoCells) {
    Bytes bytes("a,b\n1,2\n\xe2,\x82\xac\n");
    Table table(bytes);
    EXPECT_TRUE(table.next());
    EXPECT_FALSE(table.next());
    ASSERT_TRUE(table.error());
    EXPECT_EQ(table.error()->message, "row 3: it is not UTF-8; save the file as UTF-8");
}

} // namespace
} // namespace costcurve::imports
