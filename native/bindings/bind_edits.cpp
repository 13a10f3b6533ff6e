#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "bindings/bindings.hpp"
#include "bindings/gold_edits.hpp"
#include "bindings/parallel.hpp"
#include "edits/apply_edits.hpp"

namespace gecval {

namespace {

/// The tokens of every reference.
nb::tuple corrected_texts(Ids source_ids, Offsets source_offsets, const GoldEdits& golds, Offsets sentence_slots,
                          int jobs) {
    const Texts sources = texts(source_ids, source_offsets);
    const Slots of = slots(sentence_slots);
    std::vector<std::vector<Token>> parts(4 * static_cast<std::size_t>(std::max(jobs, 1)));
    std::vector<std::int64_t> offsets(golds.slots_count() + 1);
    {
        nb::gil_scoped_release release;
        parallel_for(
            parts.size(), jobs,
            [&] {
                return [&, edits = std::vector<GoldEdit>(), corrected = std::vector<Token>()](std::size_t p) mutable {
                    const std::size_t end = of.size * (p + 1) / parts.size();
                    for (std::size_t i = of.size * p / parts.size(); i < end; ++i) {
                        for (std::size_t slot = of.begin(i); slot < of.end(i); ++slot) {
                            const auto gold = golds.of_slot(slot);
                            edits.assign(gold.begin(), gold.end());
                            sort_edits(edits);
                            apply_edits(sources[i], edits, corrected);
                            parts[p].insert(parts[p].end(), corrected.begin(), corrected.end());
                            offsets[slot + 1] = static_cast<std::int64_t>(corrected.size());
                        }
                    }
                };
            },
            1);
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    return nb::make_tuple(to_numpy(joined(std::move(parts))), to_numpy(std::move(offsets)));
}

/// How many references have two edits that share a source word.
std::size_t count_overlapping(EditSpans spans, EditRows rows) {
    const EditTable table = edit_table(spans, rows);
    std::vector<std::pair<Token, Token>> sorted;
    std::size_t count = 0;
    for (std::size_t r = 0; r < table.spans.size(); ++r) {
        sorted.clear();
        for (const EditRow& edit : table[r]) sorted.emplace_back(edit.start, edit.end);
        std::ranges::sort(sorted);
        const auto shares_a_word = [](const auto& first, const auto& second) { return first.second > second.first; };
        count += std::ranges::adjacent_find(sorted, shares_a_word) != sorted.end();
    }
    return count;
}

/// Writes "sentence<TAB>edits" for every reference, the edits as Python prints a tuple of them; corrections and types
/// come as printed.
void print_edits(nb::callable write, Offsets sentence_slots, EditSpans spans, EditRows rows,
                 const std::vector<std::string>& corrections, const std::vector<std::string>& types) {
    constexpr std::size_t enough = 1 << 20;
    const Slots of = slots(sentence_slots);
    const EditTable table = edit_table(spans, rows);
    std::string text;
    const auto flush = [&] {
        write(nb::bytes(text.data(), text.size()));
        text.clear();
    };
    for (std::size_t i = 0; i < of.size; ++i) {
        for (std::size_t slot = of.begin(i); slot < of.end(i); ++slot) {
            const auto edits = table[slot];
            text += std::to_string(i) + "\t(";
            for (const EditRow& edit : edits) {
                if (&edit != edits.data()) text += ", ";
                text += "Edit(start=" + std::to_string(edit.start) + ", end=" + std::to_string(edit.end);
                text.append(", corrections=").append(corrections[static_cast<std::size_t>(edit.corrections)]);
                text.append(", type=").append(types[static_cast<std::size_t>(edit.type)]);
                text.append(", required=").append(edit.required ? "True)" : "False)");
            }
            text += edits.size() == 1 ? ",)\n" : ")\n";
            if (text.size() > enough) flush();
        }
    }
    flush();
}

}  // namespace

void bind_edits(nb::module_& module) {
    using nb::arg;
    nb::class_<GoldEdits>(module, "GoldEdits", "The gold edits of all annotators, laid out for the search.")
        .def(nb::init<EditSpans, EditRows, Offsets, Ids, Offsets>(), arg("spans"), arg("edits"), arg("alternatives"),
             arg("ids"), arg("offsets"));
    module.def("corrected_texts", &corrected_texts, arg("source_ids"), arg("source_offsets"), arg("golds"),
               arg("sentence_slots"), nb::kw_only(), arg("jobs"));
    module.def("count_overlapping", &count_overlapping, arg("spans"), arg("edits"));
    module.def("print_edits", &print_edits, arg("write"), arg("sentence_slots"), arg("spans"), arg("edits"),
               arg("corrections"), arg("types"));
}

}  // namespace gecval
