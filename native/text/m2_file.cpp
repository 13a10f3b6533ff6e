#include "text/m2_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace gecval {

namespace {

std::string_view stripped(std::string_view text) {
    std::string_view rest = text, first = next_token(rest), last = first;
    for (auto token = first; !token.empty(); token = next_token(rest)) last = token;
    return {first.data(), last.data() + last.size()};
}

std::optional<Token> number(std::string_view text) {
    Token value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// The text before the next ||| is taken off; all of it where there is none.
std::string_view next_part(std::string_view& text) {
    const std::size_t end = std::min(text.find("|||"), text.size());
    const auto part = text.substr(0, end);
    text.remove_prefix(std::min(end + 3, text.size()));
    return part;
}

std::size_t count_separators(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find("|||", at)) != text.npos; at += 3) ++count;
    return count;
}

}  // namespace

bool M2Part::read(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        while (line.ends_with('\r')) line.remove_suffix(1);
        if (!read_line(line)) return false;
    }
    return finish_paragraph();
}

bool M2Part::read_line(std::string_view line) {
    if (line.starts_with("A ")) return !lengths_.empty() && read_edit(line.substr(2));
    if (auto rest = line; next_token(rest).empty()) return finish_paragraph();
    if (line.starts_with("S ") || line == "S") {
        if (!listed_.empty()) return false;
        read_sentence(line.substr(1));
        return true;
    }
    return line.starts_with("I ");
}

void M2Part::read_sentence(std::string_view text) {
    const std::size_t start = sources.size();
    Token length = 0;
    for (auto token = next_token(text); !token.empty(); token = next_token(text)) {
        if (length++ > 0) sources += ' ';
        sources += token;
    }
    source_sizes.push_back(sources.size() - start);
    lengths_.push_back(length);
    length_ += length;
}

bool M2Part::read_edit(std::string_view text) {
    if (count_separators(text) != 5) return false;
    auto span = next_part(text);
    const auto type = next_part(text), corrections = next_part(text), required = next_part(text);
    next_part(text);  // a comment
    const Token annotator = fields.annotators.id(stripped(text));
    auto mine = std::ranges::find(listed_, annotator, &Listed::annotator);
    if (mine == listed_.end()) mine = listed_.insert(mine, {annotator, {}});
    if (type == "noop") {
        ++noops;
        return true;
    }
    const auto start = number(next_token(span)), end = number(next_token(span));
    if (!start || !end || !next_token(span).empty()) return false;
    if (*start < 0 || *start > *end || *end > length_) return false;
    mine->edits.push_back(
        {*start, *end, fields.corrections.id(corrections), fields.types.id(type), fields.required.id(required)});
    return true;
}

/// Each sentence takes the edits that lie in it, with offsets of its own; none may be left over.
bool M2Part::finish_paragraph() {
    Token start = 0;
    for (const Token length : lengths_) {
        for (auto& [annotator, left] : listed_) {
            const std::size_t before = edits.size();
            std::erase_if(left, [&](EditRow edit) {
                if (edit.start < start || edit.end > start + length) return false;
                edit.start -= start;
                edit.end -= start;
                edits.push_back(edit);
                return true;
            });
            annotators.push_back(annotator);
            edit_counts.push_back(static_cast<std::int64_t>(edits.size() - before));
        }
        listed_counts.push_back(static_cast<std::int64_t>(listed_.size()));
        start += length;
    }
    const bool all_placed = std::ranges::all_of(listed_, [](const Listed& one) { return one.edits.empty(); });
    lengths_.clear();
    listed_.clear();
    length_ = 0;
    return all_placed;
}

std::size_t empty_line(std::string_view text, std::size_t from) {
    for (std::size_t at = from; (at = text.find('\n', at)) != text.npos; ++at) {
        const auto rest = text.substr(at + 1);
        if (rest.starts_with('\n') || rest.starts_with("\r\n")) return at + 1;
    }
    return text.size();
}

}  // namespace gecval
