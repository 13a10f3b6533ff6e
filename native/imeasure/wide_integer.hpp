// Integers of 128 bits: I-measure compares fractions exactly, and products of their parts do not fit into 64.
#pragma once

#include <compare>
#include <cstdint>

namespace gecval {

/// In two words, for compilers that have none of their own (MSVC). Sums and products wrap around as theirs do.
class TwoWords {
public:
    constexpr TwoWords(std::int64_t value = 0)
        : high_(value < 0 ? ~std::uint64_t{0} : 0), low_(static_cast<std::uint64_t>(value)) {}

    friend constexpr TwoWords operator+(TwoWords a, TwoWords b) {
        const std::uint64_t low = a.low_ + b.low_;
        return {a.high_ + b.high_ + (low < a.low_ ? 1u : 0u), low};
    }
    friend constexpr TwoWords operator-(TwoWords a, TwoWords b) {
        return {a.high_ - b.high_ - (a.low_ < b.low_ ? 1u : 0u), a.low_ - b.low_};
    }
    friend constexpr TwoWords operator*(TwoWords a, TwoWords b) {
        constexpr std::uint64_t half = 0xFFFFFFFF;
        const std::uint64_t a0 = a.low_ & half, a1 = a.low_ >> 32, b0 = b.low_ & half, b1 = b.low_ >> 32;
        const std::uint64_t middle = a1 * b0 + (a0 * b0 >> 32);  // at most (2^32 - 1) * 2^32: it does not wrap
        const std::uint64_t crossed = a0 * b1 + (middle & half);
        const std::uint64_t high = a1 * b1 + (middle >> 32) + (crossed >> 32);
        return {high + a.high_ * b.low_ + a.low_ * b.high_, a.low_ * b.low_};
    }

    friend constexpr bool operator==(TwoWords a, TwoWords b) = default;
    friend constexpr std::strong_ordering operator<=>(TwoWords a, TwoWords b) {
        const auto by_high = static_cast<std::int64_t>(a.high_) <=> static_cast<std::int64_t>(b.high_);
        return by_high != 0 ? by_high : a.low_ <=> b.low_;
    }

    explicit constexpr operator std::int64_t() const { return static_cast<std::int64_t>(low_); }
    /// Rounded once: what is shifted out leaves its trace in the last of more bits than a double has.
    explicit constexpr operator double() const {
        if (*this < TwoWords{}) return -static_cast<double>(TwoWords{} - *this);
        std::uint64_t high = high_, low = low_;
        double unit = 1;
        for (; high != 0; unit *= 2) {
            low = low >> 1 | high << 63 | (low & 1);
            high >>= 1;
        }
        return static_cast<double>(low) * unit;
    }

private:
    constexpr TwoWords(std::uint64_t high, std::uint64_t low) : high_(high), low_(low) {}

    std::uint64_t high_, low_;
};

#ifdef __SIZEOF_INT128__
__extension__ using Wide = __int128;
#else
using Wide = TwoWords;
#endif

}  // namespace gecval
