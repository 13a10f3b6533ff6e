#!/usr/bin/env bash
# Runs the tests that reach the kernels under the address and undefined behaviour sanitizers, then under the one for
# threads. `make sanitize` calls it; the first argument is the Python of an environment that has pip.
# GECVAL_EXAMPLES=20 is a short form: so many random cases a test.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$1
unset GECVAL_DATA GECVAL_GOLDEN  # real data take ten times as long under a sanitizer, and show it nothing new
export CXX=${CXX:-g++} ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=halt_on_error=1  # Python keeps memory until it ends
tests=(tests/native --ignore=tests/native/test_memory.py
       tests/metrics/test_{cleme,distance_and_accuracy,evaluation,gotoscorer,green,imeasure,m2}.py
       tests/metrics/test_ngram_metrics.py tests/metrics/reference_rules/test_running_best.py
       tests/edits/test_alignment.py tests/formats/test_m2_files.py tests/corpus/test_clusters.py)

run() {  # NAME LIBRARY...: the sanitizers, and what Python must load before anything else
    local name=$1 folder=$PWD/build/sanitize/$1 libraries=""
    shift
    for library in "$@"; do libraries+=$("$CXX" -print-file-name="$library"):; done
    echo "== $name"
    "$python" -m pip install --quiet --no-compile --upgrade --target "$folder" . pytest hypothesis \
        --config-settings=build-dir="$folder.objects" --config-settings=install.strip=false \
        --config-settings=cmake.define.GECVAL_SANITIZE="$name"
    # Without its site (-S) Python sees only what was built here, and the packages next to it: the environment itself may
    # be growing meanwhile. --capture=sys lets the sanitizer's report through. The sanitizer for threads needs addresses
    # that are not random (setarch -R) in older compilers.
    PYTHONPATH=$folder LD_PRELOAD=$libraries setarch -R \
        "$python" -S -m pytest -p no:cacheprovider --capture=sys --hypothesis-seed=1 \
        ${GECVAL_EXAMPLES:+--hypothesis-profile=fuzz} \
        "${tests[@]}"
}

run address,undefined libasan.so libubsan.so libstdc++.so
run thread libtsan.so
