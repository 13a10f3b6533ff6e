#include "vocabulary.hpp"

#include <functional>

namespace gecval {

namespace {

bool is_ascii_blank(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The blanks of str.isspace() beyond ASCII.
bool is_wide_blank(char32_t c) {
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

}  // namespace

std::size_t blank_length(std::string_view text, Blanks blanks) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (text.empty()) return 0;
    if (is_ascii_blank(byte(0))) return 1;
    if (blanks == Blanks::ascii) return 0;
    if (byte(0) >= 0x1C && byte(0) <= 0x1F) return 1;
    // Every wide blank takes two bytes starting with C2, or three starting with E1, E2 or E3.
    if (byte(0) == 0xC2 && text.size() >= 2) {
        return is_wide_blank(byte(1)) ? 2 : 0;
    }
    if (byte(0) >= 0xE1 && byte(0) <= 0xE3 && text.size() >= 3) {
        const char32_t c = (byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
        return is_wide_blank(c) ? 3 : 0;
    }
    return 0;
}

std::string_view next_token(std::string_view& text) {
    while (const std::size_t blank = blank_length(text, Blanks::unicode)) text.remove_prefix(blank);
    std::size_t end = 0;
    while (end < text.size() && blank_length(text.substr(end), Blanks::unicode) == 0) ++end;
    const auto token = text.substr(0, end);
    text.remove_prefix(end);
    return token;
}

std::size_t Vocabulary::find(std::string_view token, std::uint64_t hash) const {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
        const Token id = table_[at];
        if (id == kEmpty) return at;
        if (hashes_[static_cast<std::size_t>(id)] == hash && tokens_[static_cast<std::size_t>(id)] == token) return at;
    }
}

void Vocabulary::grow() {
    table_.assign(table_.size() * 2, kEmpty);
    const std::size_t mask = table_.size() - 1;
    for (std::size_t id = 0; id < tokens_.size(); ++id) {
        std::size_t at = hashes_[id] & mask;
        while (table_[at] != kEmpty) at = (at + 1) & mask;
        table_[at] = static_cast<Token>(id);
    }
}

Token Vocabulary::id(std::string_view token) {
    const std::uint64_t hash = std::hash<std::string_view>{}(token);
    std::size_t at = find(token, hash);
    if (table_[at] != kEmpty) return table_[at];
    if (2 * (tokens_.size() + 1) > table_.size()) {
        grow();
        at = find(token, hash);
    }
    const auto id = static_cast<Token>(tokens_.size());
    tokens_.emplace_back(token);
    hashes_.push_back(hash);
    return table_[at] = id;
}

std::vector<Token> Vocabulary::add(const Vocabulary& other) {
    std::vector<Token> ids;
    ids.reserve(other.size());
    for (const auto& token : other.tokens_) ids.push_back(id(token));
    return ids;
}

bool Vocabulary::encode(std::string_view text, Blanks blanks, std::vector<Token>& ids) {
    bool same_for_all = true;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size();) {
        std::size_t blank = 1;  // the end of the text ends a token too
        if (i < text.size()) {
            const std::size_t any = blank_length(text.substr(i), Blanks::unicode);
            if (any != 0 && text[i] != ' ') same_for_all = false;
            blank = blanks == Blanks::unicode ? any
                    : blanks == Blanks::space ? text[i] == ' '
                                              : blank_length(text.substr(i), blanks);
        }
        if (blank == 0) {
            ++i;
            continue;
        }
        if (i == start) same_for_all = false;
        if (i > start || blanks == Blanks::space) ids.push_back(id(text.substr(start, i - start)));
        i += blank;
        start = i;
    }
    return same_for_all;
}

}  // namespace gecval
