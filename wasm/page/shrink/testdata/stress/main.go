// Command stress does what the runtime needs its tables for, and prints what
// came of it: stacks that grow and are copied, collections in the middle of
// calls, panics of every kind with and without recovery, and stubs of reflect,
// whose frames the collector knows by name.
package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
)

type value struct{ text string }

func (v value) Length() int { return len(v.text) }

type measured interface{ Length() int }

var nothing measured = (*value)(nil)

func main() {
	fmt.Println("stack", grow(3_000, strings.Repeat("x", 10)))
	fmt.Println("goroutines", together(16))
	fmt.Println("stubs", stubs())
	for _, p := range panics {
		fmt.Println(p.name, recovered(p.run))
	}
	fmt.Println("system", runtime.NumGoroutine())
	if len(os.Args) > 1 {
		panics[0].run()
	}
}

// grow keeps pointers into its own frame over calls that move the stack.
func grow(depth int, text string) int {
	frame := [32]string{0: text}
	here := &frame[0]
	if depth%1_000 == 0 {
		runtime.GC()
	}
	if depth == 0 {
		return len(*here)
	}
	return grow(depth-1, *here) + len(*here)
}

// together lets goroutines allocate while the collector looks at their stacks.
func together(count int) int {
	var wait sync.WaitGroup
	totals := make([]int, count)
	for i := range totals {
		wait.Go(func() {
			kept := map[string][]byte{}
			for n := range 200 {
				kept[fmt.Sprint(n)] = make([]byte, n)
				if n%50 == 0 {
					runtime.GC()
				}
				runtime.Gosched()
			}
			for _, b := range kept {
				totals[i] += len(b)
			}
		})
	}
	wait.Wait()
	total := 0
	for _, t := range totals {
		total += t
	}
	return total
}

// stubs calls through frames whose pointers only reflect knows.
func stubs() string {
	made := reflect.MakeFunc(reflect.TypeFor[func(*value, string) *value](), func(in []reflect.Value) []reflect.Value {
		runtime.GC()
		v := in[0].Interface().(*value)
		return []reflect.Value{reflect.ValueOf(&value{v.text + in[1].String()})}
	}).Interface().(func(*value, string) *value)
	length := reflect.ValueOf(value{"abc"}).MethodByName("Length").Interface().(func() int)
	return made(&value{strings.Clone("a")}, strings.Clone("b")).text + fmt.Sprint(length())
}

var panics = []struct {
	name string
	run  func()
}{
	{"error", func() { panic(fmt.Errorf("outer: %w", errors.New("inner"))) }},
	{"index", func() { _ = os.Args[len(os.Args)+3] }},
	{"nil map", func() { var m map[string]int; m["a"] = 1 }},
	{"nil pointer", func() { var v *value; fmt.Println(v.text) }},
	{"conversion", func() { var a any = "text"; fmt.Println(a.(measured).Length()) }},
	{"division", func() { fmt.Println(1 / len(os.Args[:0])) }},
	{"method of nil", func() { fmt.Println(nothing.Length()) }},
	{"in a deferred call", func() { defer func() { panic("second") }(); panic("first") }},
	{"deep", func() { deep(200) }},
}

func deep(n int) {
	defer func() {
		if r := recover(); r != nil {
			panic(r)
		}
	}()
	if n == 0 {
		panic("bottom")
	}
	deep(n - 1)
}

func recovered(run func()) (what string) {
	defer func() { what = fmt.Sprint(recover()) }()
	run()
	return "nothing"
}
