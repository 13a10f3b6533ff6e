"""Edits: what they are, applying them, finding them."""

from gecval.edits.clusters import Cluster, cluster_edits
from gecval.edits.edit import Edit, apply_edits, overlap
from gecval.edits.lattice import Lattice
from gecval.edits.plain import plain_edits

__all__ = ["Cluster", "Edit", "Lattice", "apply_edits", "cluster_edits", "overlap", "plain_edits"]
