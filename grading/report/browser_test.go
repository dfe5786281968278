package report_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/flk-byo/de/grading"
)

// mustBrowse names the variable under which a browser must be there.
const mustBrowse = "DE_TEST_BROWSER"

// chromium is the command of a browser. Without one the test is skipped.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv(mustBrowse) != "" {
		t.Fatalf("there is no Chromium, and %s says that there must be", mustBrowse)
	}
	t.Skip("there is no Chromium here, in Debian the package chromium; .ci/run installs it where it can")
	return ""
}

// A tab is one of a headless browser. It notes what pages say to the console and
// ask for.
type tab struct {
	*testing.T
	ctx     context.Context
	mu      sync.Mutex
	console []string
	asked   []string
}

func newTab(t *testing.T) *tab {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.UserDataDir(t.TempDir()))
	if runtime.GOOS == "linux" && os.Geteuid() == 0 { // as in a container: Chromium refuses its sandbox to root
		options = append(options, chromedp.NoSandbox)
	}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute) // only where it hangs
	t.Cleanup(stop)
	ctx, stop = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	b := &tab{T: t, ctx: ctx}
	if err := chromedp.Listen(ctx, b.note); err != nil {
		t.Fatal(err)
	}
	command(b, network.Enable, network.EnableParams{})
	return b
}

func (b *tab) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *cdpruntime.EventExceptionThrown:
		b.console = append(b.console, e.ExceptionDetails.Text)
	case *cdpruntime.EventConsoleAPICalled:
		b.console = append(b.console, string(e.Type))
	case *log.EventEntryAdded:
		b.console = append(b.console, e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		b.console = append(b.console, e.Message)
	case *network.EventRequestWillBeSent:
		b.asked = append(b.asked, e.Request.URL)
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// command sends a command of the protocol.
func command[P, R any](b *tab, c cdp.Command[P, R], params P) R {
	b.Helper()
	got, err := chromedp.Call(b.ctx, c, params)
	if err != nil {
		b.Fatal(err)
	}
	return got
}

func get[T any](b *tab, a chromedp.Action[T]) T {
	b.Helper()
	got, err := chromedp.Run(b.ctx, a)
	if err != nil {
		b.Fatal(err)
	}
	return got
}

// is evaluates an expression of JavaScript.
func is[T any](b *tab, expression string) T {
	b.Helper()
	return get(b, chromedp.Evaluate[T](expression))
}

// open shows the page of a report in a window of a width.
func (b *tab) open(r grading.Report, width int64) {
	b.Helper()
	file := filepath.Join(b.TempDir(), "why.html")
	if err := os.WriteFile(file, []byte(pageOf(b.T, r)), 0o644); err != nil {
		b.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(width, 800), chromedp.Navigate("file://"+filepath.ToSlash(file)))
}

// media sets what the page may ask of the user's wishes.
func (b *tab) media(name, value string) {
	b.Helper()
	command(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: name, Value: value}}})
}

func (b *tab) click(id string) { b.Helper(); b.do(chromedp.Click(chromedp.ID(id))) }

func (b *tab) press(key string) { b.Helper(); b.do(chromedp.KeyEvent(key)) }

// at demands that everything shows step n.
func (b *tab) at(n int) {
	b.Helper()
	if got := is[string](b, `document.getElementById("caption").textContent`); !strings.HasPrefix(got, fmt.Sprintf("Step %d of ", n)) {
		b.Errorf("the caption is %q, want step %d", got, n)
	}
	if got := is[int](b, `document.getElementById("at").valueAsNumber`); got != n {
		b.Errorf("the slider is at %d, want %d", got, n)
	}
	if got := is[string](b, `[...document.querySelectorAll("tr[aria-current=step]")].map(e => e.id).join()`); n > 0 && got != fmt.Sprintf("step-%d", n) || n == 0 && got != "" {
		b.Errorf("the row is %q, want that of step %d", got, n)
	}
}

// lane is what an object has in a lane.
func (b *tab) lane(object int, name string) string {
	b.Helper()
	return is[string](b, fmt.Sprintf(`[...document.querySelectorAll("#objects .object")][%d].querySelector("[data-lane=%s] .chips").innerText.replaceAll(/\s+/g, " ").trim()`, object, name))
}

// A page in a real browser can be gone through in each way, follows, says
// nothing to the console and asks for nothing.
func TestPageInBrowser(t *testing.T) {
	b := newTab(t)
	for name, test := range map[string]func(*tab){
		"buttons": stepByButton, "keys": stepByKey, "slider": stepBySlider, "places": stepToPlaces, "gap": stepOverGap,
		"what a step shows": showsState, "names": hasNames, "fits": fits, "dark": isDark,
		"motion": moves, "no scripts": withoutScript, "inert": staysInert,
	} {
		t.Run(name, func(t *testing.T) {
			one := &tab{T: t, ctx: b.ctx}
			test(one)
			b.isSilent(t)
		})
	}
}

// isSilent demands that pages said nothing to the console and asked for nothing
// but themselves, and forgets what was noted.
func (b *tab) isSilent(t *testing.T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.console) > 0 {
		t.Errorf("the page said %q", slices.Compact(b.console))
	}
	if len(b.asked) == 0 {
		t.Error("no page was asked for, so requests are not seen")
	}
	for _, url := range b.asked {
		if !strings.HasPrefix(url, "file://") || !strings.HasSuffix(url, "/why.html") {
			t.Errorf("the page asked for %s", url)
		}
	}
	b.console, b.asked = nil, nil
}

func stepByButton(b *tab) {
	b.open(explained(), 1000)
	b.at(0)
	b.click("forward")
	b.click("forward")
	b.at(2)
	b.click("back")
	b.at(1)
	b.click("last")
	b.at(11)
	b.click("forward")
	b.at(11)
	b.click("first")
	b.at(0)
}

func stepByKey(b *tab) {
	b.open(explained(), 1000)
	b.press(kb.ArrowRight)
	b.press(kb.ArrowRight)
	b.at(2)
	b.press(kb.ArrowLeft)
	b.at(1)
	b.press(kb.End) // which scrolls, outside of the figure
	b.at(1)
	b.do(chromedp.Focus(chromedp.ID("forward")))
	b.press(kb.End)
	b.at(11)
	b.press(kb.Home)
	b.at(0)
	b.press(kb.Enter)
	b.at(1)
}

func stepBySlider(b *tab) {
	b.open(explained(), 1000)
	b.do(chromedp.Focus(chromedp.ID("at")))
	b.press(kb.ArrowRight)
	b.at(1)
	b.press(kb.ArrowUp)
	b.at(2)
	b.press(kb.ArrowDown)
	b.at(1)
	b.press(kb.End)
	b.at(11)
	box := is[[]float64](b, `(() => { const r = document.getElementById("at").getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2] })()`)
	b.do(chromedp.MouseClickXY(box[0], box[1]))
	if n := is[int](b, `document.getElementById("at").valueAsNumber`); n != 5 && n != 6 {
		b.Errorf("a click in the middle of 11 goes to %d", n)
	} else {
		b.at(n)
	}
}

// stepOverGap demands that steps keep their numbers where some are left out.
func stepOverGap(b *tab) {
	b.open(countless(5000), 1000)
	b.click("last")
	if got := is[string](b, `document.getElementById("caption").textContent`); !strings.HasPrefix(got, "Step 5000 of 5000") {
		b.Errorf("the last step is %q", got)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#jumps .bad").click()`))
	if got := is[string](b, `document.querySelector("tr[aria-current]").id`); got != "step-2481" {
		b.Errorf("the unsafe step is in row %s", got)
	}
	for range 50 {
		b.press(kb.ArrowLeft)
	}
	if got := is[string](b, `document.querySelectorAll("#objects .object")[1].innerText`); !strings.Contains(got, "last step left out") {
		b.Errorf("behind a gap the other sink is %q", got)
	}
}

func stepToPlaces(b *tab) {
	b.open(explained(), 1000)
	for words, step := range map[string]int{"crash: steps 4 to 6": 4, "replay: steps 7 to 11": 7, "step 5: unsafe from here": 5, "step 11: here it is seen": 11} {
		b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`[...document.querySelectorAll("#jumps button")].find(e => e.textContent === %q).click()`, words)))
		b.at(step)
	}
}

func showsState(b *tab) {
	b.open(explained(), 1000)
	tests := []struct {
		step, object         int
		open, prepared, seen string
		scene, says          string
	}{
		{0, 0, "-", "-", "-", "", "Before the first step."},
		{2, 0, "a", "empty", "empty", "", "sink 1: write a"},
		{3, 0, "empty", "1 a", "empty", "", "sink 1: pre-commit 1"},
		{5, 0, "empty", "empty", "a", "crash", "unsafe from here: whatever came after it, it could not be right any more."},
		{6, 0, "empty", "empty", "a", "crash", "(no effect: 1 is over)"},
		{6, 1, "-", "-", "-", "crash", "at sink.go:65"},
		{10, 1, "empty", "1 a b", "empty", "replay", "Step 10 of 11, source 2 of 2, replay."},
		{11, 1, "empty", "empty", "a b", "replay", "here it is seen."},
	}
	for _, test := range tests {
		for range test.step {
			b.press(kb.ArrowRight)
		}
		got := [...]string{b.lane(test.object, "open"), b.lane(test.object, "prepared"), b.lane(test.object, "visible")}
		if got != [...]string{test.open, test.prepared, test.seen} {
			b.Errorf("after step %d object %d shows %q", test.step, test.object, got)
		}
		if scene := is[string](b, `document.getElementById("scene").className`); scene != test.scene {
			b.Errorf("step %d looks like %q, want %q", test.step, scene, test.scene)
		}
		if says := is[string](b, `document.getElementById("caption").textContent`); !strings.Contains(says, test.says) {
			b.Errorf("step %d says %q, want %q", test.step, says, test.says)
		}
		b.click("first")
	}
}

// hasNames looks at what a screen reader is told.
func hasNames(b *tab) {
	b.open(explained(), 1000)
	b.click("forward")
	told := map[string]bool{}
	for _, node := range command(b, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if !node.Ignored && node.Role != nil && node.Name != nil {
			told[fmt.Sprintf("%s %s", node.Role.Value, node.Name.Value)] = true
		}
	}
	for _, want := range []string{
		`"heading" "FAIL 08 Transactional sink: check eos-output, wrong output"`,
		`"slider" "Step"`, `"button" "First: before any step"`, `"button" "Last step"`,
		`"button" "Back"`, `"button" "Forward"`, `"group" "Go to a step"`, `"group" "Places to look at"`, `"button" "step 5: unsafe from here"`,
		`"heading" "sink 1 new sink"`, `"region" "All steps"`, `"columnheader" "prepared"`, `"rowheader" "5"`,
	} {
		if !told[want] {
			b.Errorf("the accessibility tree has no %s; it has %q", want, slices.Sorted(maps.Keys(told)))
		}
	}
	if live := is[string](b, `document.querySelector("[aria-live=polite]").id`); live != "caption" {
		b.Errorf("what is read aloud is %s", live)
	}
}

// fits demands that no page is wider than a phone.
func fits(b *tab) {
	for _, s := range append(samples(), sample{"explained", explained()}, sample{"nasty", chosen(strings.Join(nasty, " "))}) {
		b.open(s.report, 360)
		b.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("last")?.click()`))
		if width := is[int](b, `document.documentElement.scrollWidth`); width > 360 {
			b.Errorf("%s is %d wide", s.name, width)
		}
	}
}

func isDark(b *tab) {
	for scheme, dark := range map[string]bool{"light": false, "dark": true} {
		b.media("prefers-color-scheme", scheme)
		b.open(explained(), 1000)
		shot, err := png.Decode(bytes.NewReader(get(b, chromedp.CaptureScreenshot())))
		if err != nil {
			b.Fatal(err)
		}
		if red, _, _, _ := shot.At(2, 2).RGBA(); (red < 0x4000) != dark {
			b.Errorf("in %s the paper is of brightness %#x", scheme, red)
		}
	}
}

// moves demands that records are seen to move, but not by those who do not want
// that.
func moves(b *tab) {
	for wish, want := range map[string]bool{"no-preference": true, "reduce": false} {
		b.media("prefers-reduced-motion", wish)
		b.open(explained(), 1000)
		b.click("forward")
		b.click("forward")
		if moving := is[int](b, `(document.getElementById("forward").click(), document.getAnimations().length)`); (moving > 0) != want {
			b.Errorf("with %s there are %d movements", wish, moving)
		}
	}
}

func withoutScript(b *tab) {
	command(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.open(explained(), 1000)
	shown := get(b, chromedp.Text(chromedp.CSS("main")))
	command(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{})
	if strings.Contains(shown, "Forward") {
		b.Error("there are buttons that do nothing")
	}
	for _, text := range []string{"here it is seen", "sink.go:70", "{1: [a b]}", "commit_lag 0 instead of 1"} {
		if !strings.Contains(shown, text) {
			b.Errorf("no %q in %s", text, shown)
		}
	}
}

// staysInert opens a page in which a solution chose all that it can.
func staysInert(b *tab) {
	for _, text := range append(nasty, strings.Join(nasty, " ")) {
		b.open(chosen(text), 1000)
		b.click("last")
		b.at(5)
		if n := is[int](b, `document.querySelectorAll("img, svg, a, [onclick], [onfocus], [onerror], #figure script").length`); n > 0 {
			b.Errorf("%q became %d elements", text, n)
		}
	}
}
