"""The public data sets that the papers use: a registry, where they lie, fetching and checking them.

None of them is shipped: most state no licence. ``gecval data list`` shows them, ``gecval data fetch NAME`` gets one.
"""

from gecval.formats.datasets.catalog import DataFile, Dataset, datasets, find_dataset
from gecval.formats.datasets.fetching import fetch_dataset
from gecval.formats.datasets.folder import (
    DatasetState,
    FileState,
    check,
    data_folder,
    dataset,
    dataset_file,
    dataset_files,
)

__all__ = [
    "DataFile",
    "Dataset",
    "DatasetState",
    "FileState",
    "check",
    "data_folder",
    "dataset",
    "dataset_file",
    "dataset_files",
    "datasets",
    "fetch_dataset",
    "find_dataset",
]
