package wall

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_AARCH64

var callsOlder = []uint32{unix.SYS_RENAMEAT}
