// Work on sentences in parallel: threads take small blocks in turn, so that one long sentence holds up nobody.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gecval {

/// How many threads `jobs` may start. More than twice the cores help nobody, and each takes megabytes of addresses,
/// which the work itself would lack where memory is short.
inline std::size_t most_threads(int jobs) {
    const std::size_t asked = static_cast<std::size_t>(std::max(jobs, 1)), cores = std::thread::hardware_concurrency();
    return cores == 0 ? asked : std::min(asked, 2 * cores);
}

/// Call make_worker() once per thread, and the worker it returns for every i in [0, n). The worker owns its scratch
/// memory.
template <class MakeWorker>
void parallel_for(std::size_t n, int jobs, MakeWorker make_worker, std::size_t block = 32) {
    const std::size_t blocks = (n + block - 1) / block;
    const std::size_t threads = std::clamp<std::size_t>(blocks, 1, most_threads(jobs));

    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_lock;
    auto run = [&] {
        try {
            auto worker = make_worker();
            // Relaxed: a thread needs a number of its own and nothing that others wrote, and orders that workers do not
            // have by themselves would hide their races from the thread sanitizer.
            for (std::size_t b; (b = next.fetch_add(1, std::memory_order_relaxed)) < blocks;) {
                const std::size_t end = std::min(n, (b + 1) * block);
                for (std::size_t i = b * block; i < end; ++i) worker(i);
            }
        } catch (...) {
            const std::lock_guard hold(failure_lock);
            failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    others.reserve(threads - 1);
    try {
        while (others.size() + 1 < threads) others.emplace_back(run);
    } catch (const std::exception&) {
        // No further thread is to be had: those that have started do the work. They must be joined in any case.
    }
    run();
    for (auto& thread : others) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace gecval
