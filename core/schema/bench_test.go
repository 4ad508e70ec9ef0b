package schema

import "testing"

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, invalid := Compile([]byte(createUser), Options{}); invalid != nil {
			b.Fatal(invalid)
		}
	}
}

func BenchmarkExplain(b *testing.B) {
	s, _ := Compile([]byte(createUser), Options{})
	for b.Loop() {
		s.Explain("create-user", []byte(calls[3].arguments))
	}
}

func BenchmarkAccepts(b *testing.B) {
	s, _ := Compile([]byte(createUser), Options{})
	for b.Loop() {
		if !s.Accepts([]byte(`{"username":"octo_user","email":"you@example.com","age":30}`)) {
			b.Fatal("not accepted")
		}
	}
}

func BenchmarkExample(b *testing.B) {
	s, _ := Compile([]byte(createUser), Options{})
	for b.Loop() {
		if _, ok := s.generate(nil); !ok {
			b.Fatal("no example")
		}
	}
}

// The real schemas one after the other: the time of one is the mean.
func BenchmarkExplainReal(b *testing.B) {
	var schemas []*Schema
	for _, tool := range realTools(b) {
		if s, invalid := Compile(tool.InputSchema, Options{}); invalid == nil {
			s.Documentation()
			schemas = append(schemas, s)
		}
	}
	i := 0
	for b.Loop() {
		schemas[i%len(schemas)].Explain("tool", []byte(`{"unknown_member":[1,2,3]}`))
		i++
	}
}
