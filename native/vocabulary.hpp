// Token strings to integers and back.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "tokens.hpp"

namespace gecval {

/// What separates tokens: Python's str.split() (every Unicode blank), or the ASCII blanks of a split over bytes.
enum class Blanks { unicode, ascii };

/// Length in bytes of the blank at the start of `text` (UTF-8), 0 if it starts with no blank.
std::size_t blank_length(std::string_view text, Blanks blanks);

class Vocabulary {
public:
    Vocabulary() : table_(1024, kEmpty) {}

    Token id(std::string_view token);

    /// Append the ids of the blank-separated tokens of `text` to `ids`.
    void encode(std::string_view text, Blanks blanks, std::vector<Token>& ids);

    std::string_view operator[](Token id) const { return tokens_[static_cast<std::size_t>(id)]; }
    std::size_t size() const { return tokens_.size(); }

private:
    static constexpr Token kEmpty = -1;

    void grow();
    std::size_t find(std::string_view token, std::uint64_t hash) const;

    // Open addressing over ids: one probe usually, and strings are stored once (a deque never moves them).
    std::vector<Token> table_;
    std::deque<std::string> tokens_;
    std::vector<std::uint64_t> hashes_;
};

}  // namespace gecval
