#include <algorithm>
#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "bindings/bindings.hpp"
#include "bindings/parallel.hpp"
#include "text/m2_file.hpp"

namespace gecval {

namespace {

/// An M2 file, read block by block.
class M2Reader {
public:
    /// Take in a block of whole paragraphs (UTF-8, without NUL); false where it is not plain, which ends the reading.
    bool read(nb::bytes block, int jobs) {
        const std::string_view text(block.c_str(), block.size());
        std::vector<M2Part> parts(static_cast<std::size_t>(std::max(jobs, 1)));
        const auto cut = [&](std::size_t p) { return p == 0 ? 0 : empty_line(text, text.size() * p / parts.size()); };
        std::atomic<bool> plain = true;
        {
            nb::gil_scoped_release release;
            parallel_for(
                parts.size(), jobs,
                [&] {
                    return [&](std::size_t p) {
                        const std::size_t start = cut(p);
                        if (!parts[p].read(text.substr(start, cut(p + 1) - start))) plain = false;
                    };
                },
                1);
        }
        if (plain) std::ranges::for_each(parts, [&](const M2Part& part) { append(part); });
        return plain;
    }

    /// The references as columns, then the fields that these number; nothing is left here.
    nb::tuple columns() {
#ifdef __GLIBC__
        malloc_trim(0);  // what the blocks took is free, but would stay with this process: 100 MB of a large file
#endif
        const std::size_t rows = edits_.size() / 5;
        auto edits = to_numpy(std::move(edits_)).attr("reshape")(rows, 5);
        return nb::make_tuple(to_numpy(std::move(slots_)), to_numpy(std::move(edit_offsets_)),
                              to_numpy(std::move(annotators_)), edits, tokens(fields_.corrections),
                              tokens(fields_.types), tokens(fields_.required), tokens(fields_.annotators));
    }

    nb::list sources;
    std::size_t noops = 0;

private:
    void append(const M2Part& part) {
        const auto corrections = fields_.corrections.add(part.fields.corrections);
        const auto types = fields_.types.add(part.fields.types), required = fields_.required.add(part.fields.required);
        const auto names = fields_.annotators.add(part.fields.annotators);
        const auto id = [](const std::vector<Token>& ids, Token old) { return ids[static_cast<std::size_t>(old)]; };
        for (const EditRow& edit : part.edits) {
            edits_.insert(edits_.end(), {edit.start, edit.end, id(corrections, edit.corrections), id(types, edit.type),
                                         id(required, edit.required)});
        }
        for (const Token annotator : part.annotators) annotators_.push_back(id(names, annotator));
        for (const auto count : part.edit_counts) edit_offsets_.push_back(edit_offsets_.back() + count);
        for (const auto count : part.listed_counts) slots_.push_back(slots_.back() + count);
        const char* source = part.sources.data();
        for (const std::size_t size : part.source_sizes) {
            sources.append(nb::str(source, size));
            source += size;
        }
        noops += part.noops;
    }

    M2Fields fields_;
    std::vector<std::int64_t> slots_{0};         // the annotators of each sentence
    std::vector<std::int64_t> edit_offsets_{0};  // the edits of each of these
    std::vector<Token> annotators_;
    std::vector<Token> edits_;  // rows of an EditRow each
};

}  // namespace

void bind_m2_file(nb::module_& module) {
    using nb::arg;
    nb::class_<M2Reader>(module, "M2Reader", "Reads plain M2 files, block by block.")
        .def(nb::init<>())
        .def("read", &M2Reader::read, arg("block"), nb::kw_only(), arg("jobs"))
        .def("columns", &M2Reader::columns)
        .def_ro("sources", &M2Reader::sources)
        .def_ro("noops", &M2Reader::noops);
}

}  // namespace gecval
