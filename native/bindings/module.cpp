#include "bindings/bindings.hpp"

NB_MODULE(_native, module) {
    module.doc() =
        "The kernels of gecval: sentences come as flat arrays of token ids with offsets, statistics go out as numpy "
        "arrays.";
    // At its end Python does not free what threads, frames of exceptions or other modules still hold: no fault of ours,
    // and nothing that a user could act on.
    nanobind::set_leak_warnings(false);
    gecval::bind_text(module);
    gecval::bind_edits(module);
    gecval::bind_m2_file(module);
    gecval::bind_alignment(module);
    gecval::bind_cleme(module);
    gecval::bind_imeasure(module);
    gecval::bind_max_match(module);
    gecval::bind_ngrams(module);
    gecval::bind_plain_edits(module);
    gecval::bind_processes(module);
    gecval::bind_resampling(module);
    gecval::bind_rules(module);
    gecval::bind_trueskill(module);
}
