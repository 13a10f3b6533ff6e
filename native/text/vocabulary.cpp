#include "text/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace gecval {

namespace {

constexpr bool is_ascii_blank(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The blanks of str.isspace() beyond ASCII.
bool is_wide_blank(char32_t c) {
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

/// Whether a blank of any kind may start with this byte: most bytes of a text need no closer look.
constexpr std::array<bool, 256> kMayStartBlank = [] {
    std::array<bool, 256> may{};
    for (std::size_t byte = 0; byte < may.size(); ++byte) {
        may[byte] = is_ascii_blank(static_cast<unsigned char>(byte)) || (byte >= 0x1C && byte <= 0x1F) ||
                    byte == 0xC2 || (byte >= 0xE1 && byte <= 0xE3);
    }
    return may;
}();

constexpr std::size_t kHead = 8;  // bytes

/// The next eight bytes as a number, the first one lowest.
std::uint64_t load_head(const char* bytes) {
    std::uint64_t head = 0;
    for (std::size_t k = 0; k < kHead; ++k) {
        head |= std::uint64_t{static_cast<unsigned char>(bytes[k])} << 8 * k;  // compilers make one load of it
    }
    return head;
}

/// The first `size` bytes of eight, and zeros.
std::uint64_t cut_head(std::uint64_t head, std::size_t size) {
    return size >= kHead ? head : head & ((std::uint64_t{1} << 8 * size) - 1);
}

/// How many of eight bytes come before the first one that is no ASCII letter, digit or sign.
std::size_t plain_bytes(std::uint64_t head) {
    constexpr std::uint64_t each = 0x0101010101010101u;
    // A byte below '!' borrows and so gets its highest bit, as bytes beyond ASCII have it. Where a borrow has come from
    // below, a byte may be taken for such a one too, but never the first.
    const std::uint64_t special = ((head - '!' * each) | head) & 0x80 * each;
    return static_cast<std::size_t>(std::countr_zero(special)) / 8;
}

/// A product spreads every bit to the higher ones alone. So these come down before it, where they matter too, and after
/// it, as the lowest choose the slot.
std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 32) * 0x9E3779B97F4A7C15u;  // 2⁶⁴ / golden ratio
    return x ^ x >> 32;
}

/// The bytes of a short token themselves, and a hash of a long one.
std::uint64_t key_of(std::string_view token, std::uint64_t head) {
    if (token.size() <= kHead) return head;
    std::uint64_t hash = mix(head);
    for (std::size_t at = kHead; at + kHead < token.size(); at += kHead) hash = mix(hash ^ load_head(&token[at]));
    return mix(hash ^ load_head(&token[token.size() - kHead]));
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

std::size_t Vocabulary::find(std::string_view token, std::uint64_t key) const {
    const std::size_t mask = table_.size() - 1;
    const auto size = static_cast<std::uint32_t>(token.size());
    for (std::size_t at = mix(key ^ size) & mask;; at = (at + 1) & mask) {
        const Slot& slot = table_[at];
        if (slot.id == kEmpty) return at;
        if (slot.key == key && slot.size == size && (token.size() <= kHead || (*this)[slot.id] == token)) return at;
    }
}

void Vocabulary::grow() {
    std::vector<Slot> slots(2 * table_.size());
    table_.swap(slots);
    const std::size_t mask = table_.size() - 1;
    for (const Slot& slot : slots) {
        if (slot.id == kEmpty) continue;
        std::size_t at = mix(slot.key ^ slot.size) & mask;
        while (table_[at].id != kEmpty) at = (at + 1) & mask;
        table_[at] = slot;
    }
}

Token Vocabulary::id(std::string_view token) {
    char bytes[kHead] = {};
    std::copy_n(token.data(), std::min(token.size(), kHead), bytes);
    return id(token, load_head(bytes));
}

Token Vocabulary::id(std::string_view token, std::uint64_t head) {
    const std::uint64_t key = key_of(token, head);
    std::size_t at = find(token, key);
    if (table_[at].id != kEmpty) return table_[at].id;
    if (2 * (tokens_.size() + 1) > table_.size()) {
        grow();
        at = find(token, key);
    }
    const auto id = static_cast<Token>(tokens_.size());
    tokens_.emplace_back(token);
    table_[at] = {key, static_cast<std::uint32_t>(token.size()), id};
    return id;
}

std::vector<Token> Vocabulary::add(const Vocabulary& other) {
    std::vector<Token> ids;
    ids.reserve(other.size());
    for (const auto& token : other.tokens_) ids.push_back(id(token));
    return ids;
}

bool Vocabulary::encode(std::string_view text, Blanks blanks, std::vector<Token>& ids) {
    bool same_for_all = true;
    for (std::size_t start = 0; start <= text.size();) {
        // Most tokens are ASCII and end within eight bytes: these are looked at all at once.
        const bool long_enough = start + kHead <= text.size();
        const std::uint64_t head = long_enough ? load_head(&text[start]) : 0;
        std::size_t end = long_enough ? start + plain_bytes(head) : start, blank = 1;
        for (; end < text.size(); ++end) {  // the end of the text ends a token too
            const auto byte = static_cast<unsigned char>(text[end]);
            if (byte == ' ') break;
            if (!kMayStartBlank[byte]) continue;
            const std::size_t any = blank_length(text.substr(end), Blanks::unicode);
            if (any != 0) same_for_all = false;
            blank = blanks == Blanks::unicode ? any
                    : blanks == Blanks::ascii ? blank_length(text.substr(end), blanks)
                                              : 0;
            if (blank != 0) break;
            blank = 1;
        }
        const auto token = text.substr(start, end - start);
        if (token.empty()) same_for_all = false;
        if (!token.empty() || blanks == Blanks::space) {
            ids.push_back(long_enough ? id(token, cut_head(head, token.size())) : id(token));
        }
        start = end + blank;
    }
    return same_for_all;
}

}  // namespace gecval
