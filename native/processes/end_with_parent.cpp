#include "processes/end_with_parent.hpp"

#ifdef _WIN32

void gecval::end_with_parent(int) {}

#else

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>

namespace gecval {

namespace {

// A process that was killed keeps its number until somebody asks for its exit status, which may be never.
bool has_ended(int process) {
    if (kill(process, 0) != 0 && errno == ESRCH) return true;
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    const std::string fields((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const std::size_t name_end = fields.rfind(')');  // the name may hold anything
    return name_end != std::string::npos && fields.compare(name_end, 3, ") Z") == 0;
}

}  // namespace

void end_with_parent(int parent) {
    // A worker is a child of its parent, or on some systems of a helper process, so that only the number tells; also
    // where the parent was killed before its worker came here. A dead parent has no children any more.
    const bool child = getppid() == parent;
    try {
        std::thread([parent, child] {
            while (child ? getppid() == parent : !has_ended(parent))
                std::this_thread::sleep_for(std::chrono::seconds(1));
            _exit(1);
        }).detach();
    } catch (const std::system_error&) {  // the system lets no thread start
    }
}

}  // namespace gecval

#endif
