#include "imeasure_clusters.hpp"

#include <algorithm>
#include <tuple>

namespace gecval::imeasure {
namespace {

struct Listed {
    const GoldEdit* edit;
    std::size_t annotator;
};

struct Group {
    int start, end;  // from the first to the last position: most groups are elsewhere
    std::vector<Listed> edits;
};

// As the original converter tests it: an insertion at the border of another edit is independent of it.
bool overlaps(const GoldEdit& added, const GoldEdit& old) {
    if (added.start == old.start && added.end == old.end) return true;
    if (added.start == added.end) return old.start < added.start && added.start < old.end;
    if (old.start == old.end) return added.start < old.start && old.start < added.end;
    return (old.start < added.end && added.end <= old.end) || (old.start <= added.start && added.start < old.end);
}

Cluster cluster_of(std::vector<Listed> edits, std::size_t annotators) {
    std::ranges::stable_sort(edits, {}, [](const Listed& listed) {
        return std::tuple(listed.annotator, listed.edit->start, listed.edit->end);
    });
    Cluster cluster;
    for (std::size_t k = 0; k < edits.size(); ++k) {
        const GoldEdit& edit = *edits[k].edit;
        if (k == 0 || edits[k].annotator != edits[k - 1].annotator) cluster.emplace_back();
        Alternative& alternative = cluster.back();
        if (alternative.empty() || alternative.back().start != edit.start || alternative.back().end != edit.end)
            alternative.push_back({edit.start, edit.end, {}});
        const Sentence words = edit.alternatives.front();
        std::vector<Token>& correction = alternative.back().correction;
        correction.insert(correction.end(), words.begin(), words.end());
    }
    if (cluster.size() < annotators) cluster.emplace_back();
    return cluster;
}

}  // namespace

std::vector<Cluster> cluster_edits(std::span<const Annotation> annotations) {
    std::vector<Listed> listed;
    for (std::size_t annotator = 0; annotator < annotations.size(); ++annotator)
        for (const GoldEdit& edit : annotations[annotator]) listed.push_back({&edit, annotator});
    // The longest edits come first. An edit joins the first group that it overlaps, or starts a new one.
    std::ranges::stable_sort(listed, {}, [](const Listed& entry) { return entry.edit->start - entry.edit->end; });
    std::vector<Group> groups;
    for (const Listed& added : listed) {
        const GoldEdit& edit = *added.edit;
        const auto joins = [&](const Group& group) {
            return edit.start <= group.end && edit.end >= group.start &&
                   std::ranges::any_of(group.edits, [&](const Listed& other) { return overlaps(edit, *other.edit); });
        };
        const auto group = std::ranges::find_if(groups, joins);
        if (group == groups.end()) {
            groups.push_back({edit.start, edit.end, {added}});
        } else {
            group->start = std::min(group->start, edit.start);
            group->end = std::max(group->end, edit.end);
            group->edits.push_back(added);
        }
    }
    std::ranges::stable_sort(groups, {}, [](const Group& group) {
        return std::pair(group.edits.front().edit->start, group.edits.front().edit->end);
    });
    std::vector<Cluster> clusters;
    for (Group& group : groups) clusters.push_back(cluster_of(std::move(group.edits), annotations.size()));
    return clusters;
}

}  // namespace gecval::imeasure
