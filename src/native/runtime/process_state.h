// What the kernel keeps about the process as a whole: working folder, mask for new files, limits, processors, name. An
// execution that is about to change one of them first has it kept, and it is put back when the execution has ended.
//
// What cannot be put back - identity, priority, root folder, a descriptor that was open before main and is closed, a
// library that is loaded - ends the execution before it happens, and from then on every execution has a process of its
// own, which takes all of it along when it ends.
#pragma once

namespace heddle::runtime {

// Before calls that change these.
void keep_folder();
void keep_file_mask();
void keep_processors();
void keep_name();
void keep_limit(int resource);
// The same for a call that the program makes by its number.
void ask_before_system_call(long number, long a, long b, long c);
// The execution has ended, and the process goes on.
void put_process_state_back();

// The program is about to do what cannot be undone. Returns if it need not be.
void cannot_be_undone(const char* what);

}  // namespace heddle::runtime
