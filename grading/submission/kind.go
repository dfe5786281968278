package submission

import (
	"io/fs"
	"path/filepath"
	"strings"
)

var suffixes = []struct {
	suffix string
	kind   Kind
}{{".tar.gz", TarGz}, {".tgz", TarGz}, {".tar", Tar}, {".zip", Zip}}

// unreadables are the endings of what students hand in, and we can't read.
var unreadables = []string{".go", ".rar", ".7z", ".gz", ".bz2", ".xz", ".zst", ".tbz", ".txz"}

func kindOf(name string) Kind {
	_, kind := parts(name)
	return kind
}

// parts returns the student's name and the kind of a file by its name.
func parts(name string) (string, Kind) {
	lower := strings.ToLower(name)
	for _, s := range suffixes {
		if strings.HasSuffix(lower, s.suffix) {
			return name[:len(name)-len(s.suffix)], s.kind
		}
	}
	return strings.TrimSuffix(name, filepath.Ext(name)), Other
}

func archive(path, name string) Source {
	student, kind := parts(name)
	return Source{Name: student, Path: path, Kind: kind}
}

// handedIn is a student's folder, or the one archive in it, as learning
// platforms pack them: the name is the folder's.
func handedIn(path, name string) Source {
	folder := Source{Name: name, Path: path, Kind: Folder}
	entries, err := visible(path)
	if err != nil {
		return folder
	}
	found := folder
	for _, e := range entries {
		s := archive(filepath.Join(path, e.Name()), e.Name())
		switch {
		case e.Type()&fs.ModeType != 0, filepath.Ext(e.Name()) == ".go":
			return folder
		case s.Kind == Other:
		case found != folder:
			return folder
		default:
			found = Source{Name: name, Path: s.Path, Kind: s.Kind}
		}
	}
	return found
}
