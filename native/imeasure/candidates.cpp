#include "imeasure/candidates.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace gecval::imeasure {

namespace {

struct Listed {
    const GoldEdit* edit;
    std::size_t annotator;
};

struct Overlapping {
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
    std::vector<Overlapping> groups;
    for (const Listed& added : listed) {
        const GoldEdit& edit = *added.edit;
        const auto joins = [&](const Overlapping& group) {
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
    std::ranges::stable_sort(groups, {}, [](const Overlapping& group) {
        return std::pair(group.edits.front().edit->start, group.edits.front().edit->end);
    });
    std::vector<Cluster> clusters;
    for (Overlapping& group : groups) clusters.push_back(cluster_of(std::move(group.edits), annotations.size()));
    return clusters;
}

namespace {

// Clusters whose edits cannot be separated by source position alone, and the stretch of source they change.
struct Group {
    std::int32_t start = 0, end = 0;
    std::set<std::int32_t> insertions;
    std::vector<const Cluster*> clusters;
};

// Edits of separate groups never meet: their stretches do not overlap, and no insertion of one has the span of an
// insertion of the other (where stretches only touch, the order of splicing puts insertions between them).
bool meet(const Group& a, const Group& b) {
    if (a.start < b.end && b.start < a.end) return true;
    return std::ranges::any_of(a.insertions, [&](std::int32_t at) { return b.insertions.contains(at); });
}

Group join(const Group& a, const Group& b) {
    Group joined = a;
    joined.start = std::min(a.start, b.start);
    joined.end = std::max(a.end, b.end);
    joined.insertions.insert(b.insertions.begin(), b.insertions.end());
    joined.clusters.insert(joined.clusters.end(), b.clusters.begin(), b.clusters.end());
    return joined;
}

std::optional<Group> group_of(const Cluster& cluster) {
    std::optional<Group> group;
    for (const Alternative& alternative : cluster)
        for (const Edit& edit : alternative) {
            Group one{edit.start, edit.end, {}, {}};
            if (edit.start == edit.end) one.insertions.insert(edit.start);
            group = group ? join(*group, one) : one;
        }
    if (group) group->clusters.push_back(&cluster);
    return group;
}

std::vector<Group> join_meeting(std::vector<Group> groups) {
    std::vector<Group> apart;
    for (Group& group : groups) {
        for (std::size_t i = 0; i < apart.size();) {
            if (!meet(apart[i], group)) {
                ++i;
                continue;
            }
            group = join(apart[i], group);
            apart.erase(apart.begin() + static_cast<std::ptrdiff_t>(i));
            i = 0;  // the joined group may meet those already passed
        }
        apart.push_back(std::move(group));
    }
    std::ranges::sort(apart, {}, [](const Group& group) { return std::pair(group.start, group.end); });
    return apart;
}

std::vector<const Edit*> gather(std::span<const Cluster* const> clusters, std::span<const std::size_t> chosen) {
    std::vector<const Edit*> edits;
    for (std::size_t c = 0; c < clusters.size(); ++c)
        for (const Edit& edit : (*clusters[c])[chosen[c]]) edits.push_back(&edit);
    std::ranges::sort(edits, std::greater{}, [](const Edit* edit) { return std::pair(edit->start, edit->end); });
    return edits;
}

bool compatible(const std::vector<const Edit*>& edits) {  // sorted
    return std::ranges::adjacent_find(edits, [](const Edit* a, const Edit* b) {
               return a->start == b->start && a->end == b->end;
           }) == edits.end();
}

struct Spliced {
    std::vector<Token> tokens;
    std::int32_t missing = 0;  // tokens right of the stretch that the edits cut into
};

// Applies edits to source[start, end). Overlapping edits may reach past the end, because earlier ones made the list
// shorter.
Spliced splice(Sentence source, std::int32_t start, std::int32_t end, const std::vector<const Edit*>& edits) {
    const bool whole = start == 0 && end == static_cast<std::int32_t>(source.size());
    Spliced result;
    result.tokens.assign(source.begin() + start, source.begin() + end);
    for (const Edit* edit : edits) {
        const auto size = static_cast<std::int32_t>(result.tokens.size());
        const std::int32_t from = edit->start - start, to = std::min(edit->end - start, size);
        result.missing = std::max(result.missing, edit->end - start - size);
        if (whole && from == 0 && to == size && edit->correction.empty()) continue;
        const auto at = result.tokens.erase(result.tokens.begin() + from, result.tokens.begin() + std::max(from, to));
        result.tokens.insert(at, edit->correction.begin(), edit->correction.end());
    }
    return result;
}

struct Expanded {
    Slot slot;
    std::int32_t missing = 0;
};

std::optional<Expanded> expand(Sentence source, const Group& group, std::int64_t combinations) {
    std::int64_t product = 1;
    for (const Cluster* cluster : group.clusters) {
        product *= static_cast<std::int64_t>(cluster->size());
        if (product > combinations) return std::nullopt;
    }
    Expanded expanded;
    std::set<std::vector<Token>> strings;
    std::vector<std::size_t> chosen(group.clusters.size(), 0);
    for (std::int64_t n = 0; n < product; ++n) {
        const auto edits = gather(group.clusters, chosen);
        if (compatible(edits)) {
            Spliced spliced = splice(source, group.start, group.end, edits);
            expanded.missing = std::max(expanded.missing, spliced.missing);
            strings.insert(std::move(spliced.tokens));
        }
        for (std::size_t c = 0; c < chosen.size() && ++chosen[c] == group.clusters[c]->size(); ++c) chosen[c] = 0;
    }
    expanded.slot = {group.start, group.end, {strings.begin(), strings.end()}};
    return expanded;
}

}  // namespace

std::optional<std::vector<Token>> apply(Sentence source, std::span<const Cluster> clusters,
                                        std::span<const std::size_t> chosen) {
    std::vector<const Cluster*> all;
    for (const Cluster& cluster : clusters) all.push_back(&cluster);
    const auto edits = gather(all, chosen);
    if (!compatible(edits)) return std::nullopt;
    return splice(source, 0, static_cast<std::int32_t>(source.size()), edits).tokens;
}

std::optional<Lattice> make_lattice(Sentence source, std::span<const Cluster> clusters, std::int64_t combinations) {
    const auto length = static_cast<std::int32_t>(source.size());
    std::vector<Group> groups;
    for (const Cluster& cluster : clusters)
        if (auto group = group_of(cluster)) groups.push_back(std::move(*group));

    std::vector<Slot> changed;
    for (bool settled = false; !settled;) {
        groups = join_meeting(std::move(groups));
        // What an edit leaves of the sentence depends on all groups only where no source token lies outside of them.
        std::int32_t covered = 0;
        for (const Group& group : groups) covered += group.end - group.start;
        if (covered == length && groups.size() > 1) {
            for (std::size_t g = 1; g < groups.size(); ++g) groups[0] = join(groups[0], groups[g]);
            groups.resize(1);
        }
        settled = true;
        changed.clear();
        for (Group& group : groups) {
            auto expanded = expand(source, group, combinations);
            if (!expanded) return std::nullopt;
            if (expanded->missing > 0 && group.end < length) {
                group.end = std::min(length, group.end + expanded->missing);
                settled = false;
            } else if (expanded->missing > 0) {
                // What is inserted at the end is all they can still cut into.
                settled &= !group.insertions.insert(length).second;
            }
            changed.push_back(std::move(expanded->slot));
        }
    }
    // No combination is free of equal spans: nothing can be corrected.
    if (std::ranges::any_of(changed, [](const Slot& slot) { return slot.strings.empty(); })) changed.clear();

    Lattice lattice;
    std::int32_t position = 0;
    auto keep_until = [&](std::int32_t end) {
        for (; position < end; ++position) {
            lattice.push_back({position, position + 1, {{source[static_cast<std::size_t>(position)]}}});
        }
    };
    for (Slot& slot : changed) {
        keep_until(slot.start);
        position = slot.end;
        lattice.push_back(std::move(slot));
    }
    keep_until(length);
    return lattice;
}

}  // namespace gecval::imeasure
