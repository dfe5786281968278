package watch

import "golang.org/x/sys/unix"

// Kinds of file systems that change where this system does not see it, and so
// tell of no changes, or only of those that are made here. The last three are
// missing from package unix.
var silentKinds = map[uint32]string{
	unix.AFS_SUPER_MAGIC:  "AFS",
	unix.CEPH_SUPER_MAGIC: "Ceph",
	unix.CIFS_SUPER_MAGIC: "CIFS",
	unix.FUSE_SUPER_MAGIC: "FUSE",
	unix.NFS_SUPER_MAGIC:  "NFS",
	unix.SMB_SUPER_MAGIC:  "SMB",
	unix.SMB2_SUPER_MAGIC: "SMB",
	unix.V9FS_MAGIC:       "9p",
	0x53464846:            "a Windows drive", // drvfs of WSL 1
	0x6a656a63:            "virtiofs",
	0x786f4256:            "vboxsf",
}

// silent says why the system can't be relied on to tell of changes.
func silent(config Config) string {
	for _, dir := range config.folders() {
		var s unix.Statfs_t
		if err := unix.Statfs(dir, &s); err != nil {
			continue // watching it will fail too, and say why
		}
		if kind, ok := silentKinds[uint32(s.Type)]; ok {
			return kind + " does not tell of all changes"
		}
	}
	return ""
}
