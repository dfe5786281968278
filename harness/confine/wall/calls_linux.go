//go:build linux && (amd64 || arm64)

package wall

import "golang.org/x/sys/unix"

// The calls that are refused. It is not a list of those that are needed, which
// would change with each version of Go, and end a right solution where one is
// forgotten. callsOlder, by architecture, adds the older forms of some.

// callsOut lead out of a process by other ways than files and programs: nothing
// that touches a solution has to do with them.
var callsOut = []uint32{
	// The network, and whatever else has an address.
	unix.SYS_SOCKET,
	unix.SYS_MQ_OPEN, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_SHMGET, unix.SYS_SHMAT,
	// Looking into other processes, and taking what is theirs.
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
	unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
	// Calls that are made on one's behalf by the kernel, past all filters.
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	// Another view of the file system, or another system.
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_MOVE_MOUNT, unix.SYS_MOUNT_SETATTR, unix.SYS_OPEN_TREE,
	unix.SYS_FSOPEN, unix.SYS_FSPICK, unix.SYS_FSMOUNT, unix.SYS_FSCONFIG, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
	unix.SYS_SETNS, unix.SYS_UNSHARE, unix.SYS_OPEN_BY_HANDLE_AT,
	// Parts of the kernel where the holes are, most of them for root alone.
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF,
	unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_SYSLOG, unix.SYS_PERSONALITY,
}

// callsFiles get at files by a name, be it to read, to write or to be rid of them.
var callsFiles = []uint32{
	unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_TRUNCATE,
	unix.SYS_UNLINKAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_SYMLINKAT, unix.SYS_MKDIRAT, unix.SYS_MKNODAT,
	unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_SETXATTRAT,
}

// callsRun start programs, reach other processes, or leave the group that is
// killed in the end.
var callsRun = []uint32{
	unix.SYS_EXECVE, unix.SYS_EXECVEAT,
	unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
	unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL,
	unix.SYS_SETPGID, unix.SYS_SETSID, unix.SYS_PRLIMIT64, unix.SYS_SETPRIORITY,
}
