#include "processes/end_with_parent.hpp"

#ifdef _WIN32

void gecval::end_with_parent(int) {}

#else

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace gecval {

void end_with_parent(int parent) {
    // A worker is a child of its parent, or on some systems of a helper process, so that only the number tells. A dead
    // parent keeps its number until somebody asks for its exit status; but it has no children any more.
    const bool child = getppid() == parent;
    try {
        std::thread([parent, child] {
            while (child ? getppid() == parent : kill(parent, 0) == 0 || errno != ESRCH)
                std::this_thread::sleep_for(std::chrono::seconds(1));
            _exit(1);
        }).detach();
    } catch (const std::system_error&) {  // the system lets no thread start
    }
}

}  // namespace gecval

#endif
