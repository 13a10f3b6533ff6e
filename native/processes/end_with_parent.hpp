// A worker process leaves when the process that started it is gone, whatever it is doing.
#pragma once

namespace gecval {

/// Watch the process of this number from a thread of its own, once a second. The thread needs nothing of Python, which
/// a checker in C may hold for minutes. Windows ends workers by itself: nothing happens there.
void end_with_parent(int parent);

}  // namespace gecval
