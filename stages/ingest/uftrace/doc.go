// Package uftrace reads what uftrace records (namhyung/uftrace, versions of the data 3 and 4) and what its command
// dump prints.
//
// The data are a folder:
//
//	info         "Ftrace!\0" u32 version, u16 bytes of header, u8 byte order (1 little), u8 class (2: 64 bit),
//	             u64 features, u64 what is told, u16 deepest stack; then lines "key:value", of which exename is used
//	task.txt     SESS timestamp=S.N pid=P sid=ID exename="..."     a program starts in process P
//	             TASK timestamp=S.N tid=T pid=P                    a thread of it starts
//	             FORK timestamp=S.N pid=P ppid=Q                   process P goes on with the program of Q
//	             DLOP timestamp=S.N tid=T sid=ID base=HEX libname="..."  a library is opened
//	sid-ID.map   what was mapped when a program started, lines as those of /proc/P/maps
//	NAME.sym     lines "address type name" of a module: addresses from its start, or as they are in memory where
//	             the features say so. NAME-XXXX.sym, the build-id's beginning, where two modules share a name
//	T.dat        records of thread T
//	perf-cpuN.dat, kernel-cpuN.dat   what the kernel tells
//
// A record is 16 bytes, little-endian:
//
//	u64 time      ns of CLOCK_MONOTONIC
//	u64 word      bits 0-1 kind (0 entry, 1 exit, 2 lost, 3 event), bit 2 data follow, bits 3-5 are 5,
//	              bits 6-15 depth, bits 16-63 address
//
// What they become:
//
//	component  "module", the default: the base name of the file that holds the address. "unit", the default where
//	           Symbols are given: for the program itself the unit of its debug data, spelled by symbols.Component;
//	           for other modules, and functions without a unit, as "module"
//	function   the symbol at the address; where there is none, its place in the module or in memory, 0x...
//	lifeline   program/N: the base name of the program that the thread runs, its threads numbered in the order in
//	           which task.txt has them. A process that executes another program is on a new lifeline from then
//	           on, and what was open stays open; so is a forked child
//	time       as recorded
//	messages   none
//
// Functions of one name, such as static ones, differ by their addresses and so by their units, not within
// a module.
//
// The files of the threads are merged by time. Data after a record (arguments, results) have no length of their
// own: the next record is found by trying every eighth byte, with what a record must be: bits 3-5, a time not
// before and less than a day after, an address that has a symbol. Where a record is damaged
// the next is found likewise.
//
// After a record that says that others were lost, the depth of the next is trusted: calls above it are given an exit
// at its time, and exits of calls whose enters were lost are counted as unmatched and left out. So are the exits of
// those calls that a forked child has from its parent. Events of threads (context switches and the like, also those
// of perf-cpuN.dat) have no place in events and are counted; data of the kernel are counted by the file.
//
// Names of C++ stay as the linker has them. Data of big-endian machines are refused.
//
// What uftrace record --host sends, which uftrace recv makes such a folder of, is messages:
//
//	u16 0xface, u16 type, u32 length, data   all big-endian
//	101 name of the folder   102 i32 thread, records   103 i32 processor, data of the kernel   104 i32 processor, of perf
//	105 info, with a header that is big-endian   106 u32 length, name of another file, the file   107 the end
//
// Maps, symbols and info come at the end of the program, so of one whose end did not come functions are addresses.
//
// The text of dump is a line for each record, thread by thread, after a heading:
//
//	line = seconds "." 9 digits  tid ":" "[entry]" name "(" address ")" "depth:" N
//	     | ... "[exit ]" ... | ... "[lost ]" ... | ... "[event]" name "(" id ")"
//
// with other lines for arguments and files. It names neither program nor modules: "program" stands for both, and
// lifelines are program/1, program/2 in the order of the text. Symbols, where given, must be of a program that is
// not position-independent, or addresses are not found in them. It is sorted by time; the events of a thread keep
// their order.
package uftrace
