// Clusters of edits that correct the same error, as I-measure groups them (Felice & Briscoe 2015). Edits of several
// annotators that overlap are alternatives, others are independent. Where not every annotator of the sentence has an
// alternative, the source may also stay as it is.
#pragma once

#include <span>
#include <vector>

#include "imeasure.hpp"
#include "max_match.hpp"

namespace gecval::imeasure {

using Annotation = std::span<const GoldEdit>;  // the edits of one annotator

// An alternative without edits stands last where the source may stay. Edits of one annotator with one span are joined.
std::vector<Cluster> cluster_edits(std::span<const Annotation> annotations);

}  // namespace gecval::imeasure
