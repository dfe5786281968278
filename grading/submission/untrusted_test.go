package submission

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"testing"
)

// good is what stands in each hostile archive, and is to be taken in spite of it.
var good = files("01-first/a.go", "a", "02-second/b.go", "b")

const taken = "01-first: a.go\n02-second: b.go"

// Names lead nowhere: what has a bad one is left out, and the rest is taken.
func TestUntrustedNames(t *testing.T) {
	long := strings.Repeat("x/", 8) + strings.Repeat("y", 600)
	tests := []struct{ name, entry, want string }{
		{"absolute", "/01-first/a.go", "its path is absolute"},
		{"of a drive", "C:/01-first/a.go", "its path is absolute"},
		{"upwards", "../01-first/a.go", "its path leads out of the submission"},
		{"upwards in the middle", "01-first/../02-second/c.go", "its path leads out of the submission"},
		{"a new line", "01-first/a\n.go", "its path has control characters"},
		{"an escape", "01-first/\x1b[2J.go", "its path has control characters"},
		{"backslashes", `01-first\c.go`, "its path has backslashes; folders are parted by slashes"},
		{"deep", strings.Repeat("x/", 17) + "a.go", "it is more than 16 folders deep"},
		{"long", long, "its path has more than 512 bytes"},
	}
	for _, test := range tests {
		for kind, make := range map[Kind]maker{Zip: makeZip, Tar: makeTar} {
			t.Run(test.name+"/"+string(kind), func(t *testing.T) {
				s := read(t, make(t, append(files(test.entry, "x"), good...)), Limits{})
				if kind == Zip && strings.Contains(test.entry, `\`) {
					return // see TestBackslashes
				}
				want := taken + "\n" + quote(test.entry) + " is left out: " + test.want
				if got := say(t, s); got != want {
					t.Errorf("says\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}

// In a zip, folders may be parted as on Windows; and they lead nowhere, either.
func TestBackslashes(t *testing.T) {
	const out = " is left out: its path leads out of the submission"
	for _, test := range []struct{ entry, want string }{
		{`01-first\c.go`, "01-first: a.go c.go\n02-second: b.go"},
		{`x\01-first\`, taken},
		{`__MACOSX\01-first\._a.go`, taken},
		{`01-first\THUMBS.DB`, taken},
		{`..\01-first\c.go`, taken + "\n" + `"../01-first/c.go"` + out},
		{`01-first\..\..\c.go`, taken + "\n" + `"01-first/../../c.go"` + out},
		{`\\host\01-first\c.go`, taken + "\n" + `"//host/01-first/c.go" is left out: its path is absolute`},
		{`01-first\a.go`, fmt.Sprintf(spoiled, `"01-first/a.go" is left out: there are two files of that name; capital letters do not tell them apart`)},
	} {
		s := read(t, makeZip(t, append(files(test.entry, "x"), good...)), Limits{})
		if got := say(t, s); got != test.want {
			t.Errorf("%s: says\n%s\nwant\n%s", test.entry, got, test.want)
		}
	}
}

const spoiled = "02-second: b.go\n%s\n01-first is not judged: a Go file of it is left out"

// Of two files of one name neither is taken, however the names differ.
func TestTwins(t *testing.T) {
	for _, twin := range []string{"01-first/a.go", "01-first/A.go", "01-first/a.GO", "./01-first/a.go", "01-first//a.go"} {
		for kind, make := range map[Kind]maker{Zip: makeZip, Tar: makeTar} {
			t.Run(fmt.Sprintf("%s/%s", twin, kind), func(t *testing.T) {
				s := read(t, make(t, append(good[:2:2], files(twin, "x")...)), Limits{})
				want := fmt.Sprintf(spoiled, `"01-first/a.go" is left out: there are two files of that name; capital letters do not tell them apart`)
				if twin == "01-first/a.GO" { // no Go file at all
					want = taken + "\nleft out, other files: 1; only Go files in the folder of a stage are taken"
				}
				if got := say(t, s); got != want {
					t.Errorf("says\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}

// Whatever in an archive is not a regular file is not taken for one.
func TestNotRegular(t *testing.T) {
	want := fmt.Sprintf(spoiled, `"01-first/x.go" is left out: it is not a regular file; links and devices are not followed`)
	for _, typeflag := range []byte{tar.TypeLink, tar.TypeSymlink, tar.TypeChar, tar.TypeBlock, tar.TypeFifo, tar.TypeCont, 'Z'} {
		hs := append(headers(good), tar.Header{Name: "01-first/x.go", Typeflag: typeflag, Linkname: "/etc/passwd", Mode: 0o644})
		if got := say(t, read(t, store(t, Tar, tarred(t, hs, good)), Limits{})); got != want {
			t.Errorf("tar, type %c: says\n%s\nwant\n%s", typeflag, got, want)
		}
	}
	for _, mode := range []fs.FileMode{fs.ModeSymlink, fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice, fs.ModeNamedPipe, fs.ModeSocket} {
		data := zippedBy(t, good, func(w *zip.Writer) {
			h := &zip.FileHeader{Name: "01-first/x.go"}
			h.SetMode(mode | 0o644)
			create(t, w, h, "/etc/passwd")
		})
		if got := say(t, read(t, store(t, Zip, data), Limits{})); got != want {
			t.Errorf("zip, mode %s: says\n%s\nwant\n%s", mode, got, want)
		}
	}
}

func zippedBy(t testing.TB, entries []entry, more func(*zip.Writer)) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		create(t, w, &zip.FileHeader{Name: e.name, Method: zip.Deflate}, e.text)
	}
	more(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func create(t testing.TB, w *zip.Writer, h *zip.FileHeader, text string) {
	t.Helper()
	f, err := w.CreateHeader(h)
	if err == nil {
		_, err = io.WriteString(f, text)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func raw(t testing.TB, w *zip.Writer, h *zip.FileHeader, packed []byte) {
	t.Helper()
	f, err := w.CreateRaw(h)
	if err == nil {
		_, err = f.Write(packed)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What an archive says of itself is not believed, and what is damaged is not
// judged in part.
func TestUntrustedZips(t *testing.T) {
	const damagedZip = "FATAL it can't be read as a zip, it is damaged or incomplete (%q): pack it anew"
	whole := zipped(t, good)
	sum := crc32.ChecksumIEEE([]byte("x"))
	with := func(h zip.FileHeader, packed string) []byte {
		h.Name = "01-first/x.go"
		return zippedBy(t, good, func(w *zip.Writer) { raw(t, w, &h, []byte(packed)) })
	}
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"data descriptors", zippedBy(t, nil, func(w *zip.Writer) {
			for _, e := range good {
				create(t, w, &zip.FileHeader{Name: e.name, Method: zip.Deflate, Flags: 8}, e.text)
			}
		}), taken},
		{"bytes before it", append([]byte("#!/bin/sh\n"), whole...), taken},
		{"a password", with(zip.FileHeader{Flags: 1, CRC32: sum, CompressedSize64: 1, UncompressedSize64: 1}, "x"),
			fmt.Sprintf(spoiled, `"01-first/x.go" is left out: it is encrypted`)},
		{"another method", with(zip.FileHeader{Method: 9, CRC32: sum, CompressedSize64: 1, UncompressedSize64: 1}, "x"),
			fmt.Sprintf(spoiled, `"01-first/x.go" is left out: it is packed by a method that can't be read; use a plain zip`)},
		{"a wrong sum", with(zip.FileHeader{CRC32: 1, CompressedSize64: 1, UncompressedSize64: 1}, "x"), fmt.Sprintf(damagedZip, "zip: checksum error")},
		{"too large, so it says", with(zip.FileHeader{CRC32: sum, CompressedSize64: 1, UncompressedSize64: 1 << 40}, "x"), fmt.Sprintf(damagedZip, "unexpected EOF")},
		{"small, so it says", with(zip.FileHeader{CRC32: sum, CompressedSize64: 9, UncompressedSize64: 1}, "xxxxxxxxx"), fmt.Sprintf(damagedZip, "zip: not a valid zip file")},
		{"empty", nil, fmt.Sprintf(damagedZip, "zip: not a valid zip file")},
		{"no zip", []byte(strings.Repeat("no zip", 1000)), fmt.Sprintf(damagedZip, "zip: not a valid zip file")},
		{"cut off", whole[:len(whole)-30], fmt.Sprintf(damagedZip, "zip: not a valid zip file")},
		{"without an entry", zipped(t, nil), "FATAL there is no stage in it to judge: hand in the workspace, or folders such as 02-second with your Go files"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := say(t, read(t, store(t, Zip, test.data), Limits{})); got != test.want {
				t.Errorf("says\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestUntrustedTars(t *testing.T) {
	const damagedTar = "FATAL it can't be read as a %s, it is damaged or incomplete (%q): pack it anew"
	whole := tarred(t, headers(good), good)
	packed := gzipped(t, whole)
	wrongSum := bytes.Clone(packed)
	wrongSum[len(wrongSum)-6] ^= 1
	long := files("01-first/"+strings.Repeat("l", 200)+".go", "long")
	gnu := headers(long)
	gnu[0].Format = tar.FormatGNU
	pax := headers(long)
	pax[0].Format, pax[0].PAXRecords = tar.FormatPAX, map[string]string{"comment": "x"}
	global := append([]tar.Header{{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "0123"}}}, headers(good)...)
	tests := []struct {
		name string
		kind Kind
		data []byte
		want string
	}{
		{"long names, GNU's", Tar, tarred(t, gnu, long), "01-first: " + strings.Repeat("l", 200) + ".go" + second},
		{"long names, PAX", Tar, tarred(t, pax, long), "01-first: " + strings.Repeat("l", 200) + ".go" + second},
		{"a header for all", Tar, tarred(t, global, append(files("", ""), good...)), taken},
		{"sparse, GNU's", Tar, append(sparse(t, "01-first/x.go", 1<<40), whole...), fmt.Sprintf(spoiled, `"01-first/x.go" is left out: it is not a regular file; links and devices are not followed`)},
		{"bytes after it", TarGz, append(bytes.Clone(packed), "more than a header"...), taken},
		{"in two parts", TarGz, append(gzipped(t, whole[:700]), gzipped(t, whole[700:])...), taken},
		{"cut off in the text", Tar, whole[:512], fmt.Sprintf(damagedTar, Tar, "unexpected EOF")},
		{"cut off after the text", Tar, whole[:700], fmt.Sprintf(damagedTar, Tar, "unexpected EOF")},
		{"cut off between two files", Tar, whole[:1024], fmt.Sprintf(damagedTar, Tar, "unexpected EOF")},
		{"cut off in a header", Tar, whole[:1100], fmt.Sprintf(damagedTar, Tar, "unexpected EOF")},
		{"cut off, packed", TarGz, packed[:len(packed)-20], fmt.Sprintf(damagedTar, TarGz, "unexpected EOF")},
		{"a wrong sum", TarGz, wrongSum, fmt.Sprintf(damagedTar, TarGz, "gzip: invalid checksum")},
		{"not packed", TarGz, whole, fmt.Sprintf(damagedTar, TarGz, "gzip: invalid header")},
		{"packed", Tar, packed, fmt.Sprintf(damagedTar, Tar, "unexpected EOF")},
		{"no tar", Tar, []byte(strings.Repeat("no tar", 1000)), fmt.Sprintf(damagedTar, Tar, "archive/tar: invalid tar header")},
		{"empty", TarGz, nil, fmt.Sprintf(damagedTar, TarGz, "EOF")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := say(t, read(t, store(t, test.kind, test.data), Limits{})); got != test.want {
				t.Errorf("says\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// sparse is the header, in GNU's old form, of a file that is one hole.
func sparse(t *testing.T, name string, size int64) []byte {
	t.Helper()
	block := tarred(t, []tar.Header{{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Format: tar.FormatGNU}}, nil)[:512]
	block[156] = tar.TypeGNUSparse
	copy(block[483:495], fmt.Sprintf("%011o\x00", size))
	copy(block[386:398], fmt.Sprintf("%011o\x00", size)) // the one piece: at the end,
	copy(block[398:410], fmt.Sprintf("%011o\x00", 0))    // and empty
	copy(block[148:156], "        ")
	sum := 0
	for _, b := range block {
		sum += int(b)
	}
	copy(block[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return block
}

// Bombs end with words, and soon: what is read of them is little.
func TestTooMuch(t *testing.T) {
	small := Limits{TotalBytes: 2 << 20, ArchiveBytes: 4 << 20}
	var many []entry
	for i := range 50_000 {
		many = append(many, entry{name: fmt.Sprintf("01-first/f%d.txt", i)})
	}
	zeros := strings.Repeat("\x00", 14<<20)
	heavy := files("01-first/a.go", zeros[:1<<20], "01-first/b.go", zeros[:1<<20], "01-first/c.go", "x")
	const tooMany = "left out, other files: 20000; only Go files in the folder of a stage are taken\nFATAL it holds more than 20000 files and folders: hand in only your Go files, in the folders of their stages"
	const tooHeavy = "FATAL its Go files have more than 2 MiB together"
	tests := []struct {
		name   string
		source Source
		limits Limits
		want   string
	}{
		{"many, zip", makeZip(t, many), Limits{}, tooMany},
		{"many, tar", makeTar(t, many), Limits{}, tooMany},
		{"heavy, zip", makeZip(t, heavy), small, tooHeavy},
		{"heavy, tar.gz", makeTarGz(t, heavy), small, tooHeavy},
		{"zeros, tar.gz", makeTarGz(t, files("x", zeros)), Limits{}, "left out, other files: 1; only Go files in the folder of a stage are taken\nFATAL the archive unpacks to more than 256 MiB, or 200 times its size: hand in only your Go files"},
		{"zeros, zip", makeZip(t, append(files("x", zeros), good...)), Limits{}, taken + "\nleft out, other files: 1; only Go files in the folder of a stage are taken"},
		{"zeros, tar", makeTar(t, files("x", zeros)), small, "FATAL the archive is larger than 4 MiB: hand in only your Go files"},
		{"a directory of its own", store(t, Zip, overlapping(t, 200_000)), Limits{}, tooMany[strings.Index(tooMany, "FATAL"):]},
		{"one file many times", store(t, Zip, overlapping(t, 3_000)), small, "\"01-first/f000000.go\" is left out: it is larger than 1 MiB\n" + tooHeavy},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s := read(t, test.source, test.limits)
			runtime.ReadMemStats(&after)
			if got := say(t, s); got != test.want {
				t.Errorf("says\n%.1000s\nwant\n%s", got, test.want)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Errorf("it took %d MiB", used>>20)
			}
		})
	}
}

// overlapping is a zip with n entries that are all of the same bytes.
func overlapping(t *testing.T, n int) []byte {
	t.Helper()
	data := zipped(t, files("01-first/f000000.go", strings.Repeat("\x00", 2<<20)))
	end := len(data) - 22
	start := int(binary.LittleEndian.Uint32(data[end+16:]))
	directory, trailer := bytes.Clone(data[start:end]), bytes.Clone(data[end:])
	out := bytes.NewBuffer(data[:start])
	for i := range n {
		copy(directory[46:], fmt.Sprintf("01-first/f%06d.go", i))
		out.Write(directory)
	}
	binary.LittleEndian.PutUint16(trailer[8:], uint16(n)) // modulo 65,536, as is
	binary.LittleEndian.PutUint16(trailer[10:], uint16(n))
	binary.LittleEndian.PutUint32(trailer[12:], uint32(n*len(directory)))
	out.Write(trailer)
	return out.Bytes()
}

// Only the first of many complaints are told, and all are counted.
func TestManyComplaints(t *testing.T) {
	var bad []entry
	for i := range 1_000 {
		bad = append(bad, entry{name: fmt.Sprintf("../%d.go", i)})
	}
	s := read(t, makeTar(t, append(bad, good...)), Limits{})
	if last := s.Problems[len(s.Problems)-1].Words; len(s.Problems) != maxWords+1 || last != "980 more are left out for such reasons" {
		t.Errorf("%d problems, the last: %s", len(s.Problems), last)
	}
}
