package modules

import (
	"os"
	"testing"

	. "mcpmend/core/module/moduletest"
	"mcpmend/wasm/packs"
)

// cold opens, scans and runs a module, as the first question to it does. On a
// machine that does other things too the time of the processor tells more.
func cold(b *testing.B, h Host, data, request []byte, trusted bool) {
	b.Helper()
	from := processorTime()
	defer func() { b.ReportMetric(float64((processorTime()-from).Milliseconds())/float64(b.N), "cpu-ms/op") }()
	for b.Loop() {
		m, err := Open(data, "bench")
		if err != nil {
			b.Fatal(err)
		}
		m.Trusted = trusted
		if _, err := h.Run(b.Context(), m, request); err != nil {
			b.Fatal(err)
		}
	}
}

func benchPack(b *testing.B) (data, request []byte) {
	b.Helper()
	bundled, err := packs.All()
	if err != nil {
		b.Fatal(err)
	}
	request, err = os.ReadFile("../../wasm/packs/testdata/requests/service-name-outside.json")
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range bundled {
		if p.Name == "services" {
			return p.Code, request
		}
	}
	b.Skip("no bundled modules: go run ./wasm/packs/build")
	return nil, nil
}

// Budget: 50 ms.
func BenchmarkSmallModuleCold(b *testing.B) { cold(b, Host{}, Prints(fairAnswer), nil, false) }

// Budget: 400 ms.
func BenchmarkPackWithoutCache(b *testing.B) {
	data, request := benchPack(b)
	cold(b, Host{}, data, request, false)
}

// Budget: 150 ms.
func BenchmarkPackWithCache(b *testing.B) {
	data, request := benchPack(b)
	h := Host{Cache: b.TempDir()}
	if err := os.Chmod(h.Cache, 0o700); err != nil {
		b.Fatal(err)
	}
	m, err := Open(data, "bench")
	if err != nil {
		b.Fatal(err)
	}
	m.Trusted = true
	if err := h.Compile(b.Context(), m); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	cold(b, h, data, request, true)
}

// BenchmarkPackAgain is the second question to a module in the same process.
func BenchmarkPackAgain(b *testing.B) {
	data, request := benchPack(b)
	m := opened(b, data)
	for b.Loop() {
		if _, err := (Host{}).Run(b.Context(), m, request); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkManifests is what a module costs that does not apply.
func BenchmarkManifests(b *testing.B) {
	data, _ := benchPack(b)
	for b.Loop() {
		if _, err := Open(data, "bench"); err != nil {
			b.Fatal(err)
		}
	}
}
