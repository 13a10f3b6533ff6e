// Token strings to integers and back.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokens.hpp"

namespace gecval {

/// What separates tokens: every Unicode blank as in Python's split(), the ASCII blanks of a split over bytes, or each
/// single space as in split(" "), which leaves empty tokens.
enum class Blanks { unicode, ascii, space };

/// Length in bytes of the blank at the start of `text` (UTF-8), 0 if it starts with no blank.
std::size_t blank_length(std::string_view text, Blanks blanks);

/// Takes the first token off `text` with the blanks before it, as Python's split() does; empty where none is left.
std::string_view next_token(std::string_view& text);

class Vocabulary {
public:
    Vocabulary() : table_(1024) {}

    Token id(std::string_view token);

    /// Append the ids of the tokens of `text` to `ids`. Whether every way to split gives the same tokens.
    bool encode(std::string_view text, Blanks blanks, std::vector<Token>& ids);

    /// Take in the tokens of another vocabulary: the id here of each id there.
    std::vector<Token> add(const Vocabulary& other);

    std::string_view operator[](Token id) const { return tokens_[static_cast<std::size_t>(id)]; }
    std::size_t size() const { return tokens_.size(); }

private:
    static constexpr Token kEmpty = -1;

    struct Slot {
        std::uint64_t key = 0;  // the bytes themselves of a token of up to eight, then zeros; a hash of a longer one
        std::uint32_t size = 0;
        Token id = kEmpty;
    };

    /// The head of a token is its first eight bytes as a number, with zeros after a shorter one.
    Token id(std::string_view token, std::uint64_t head);
    void grow();
    std::size_t find(std::string_view token, std::uint64_t key) const;

    // Open addressing: one probe usually, and strings are stored once (a deque never moves them).
    std::vector<Slot> table_;
    std::deque<std::string> tokens_;
};

}  // namespace gecval
