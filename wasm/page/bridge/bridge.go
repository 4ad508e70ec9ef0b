//go:build js && wasm

// Package bridge hands Go functions to JavaScript. Everything that crosses is
// a string: a megabyte inside a JSON text costs five times what it costs as a
// string beside it, and an object many times more.
package bridge

import "syscall/js"

// Func is what JavaScript calls. It gets as many strings as were handed over.
type Func func(arguments []string) (string, error)

// Serve puts the functions into a global object of that name and waits for
// ever. An error is returned to JavaScript as an Error object, not thrown:
// Go cannot throw.
func Serve(name string, functions map[string]Func) {
	object := js.Global().Get("Object").New()
	for name, f := range functions {
		object.Set(name, js.FuncOf(func(_ js.Value, values []js.Value) any {
			arguments := make([]string, len(values))
			for i, v := range values {
				arguments[i] = v.String()
			}
			answer, err := f(arguments)
			if err != nil {
				return js.Global().Get("Error").New(err.Error())
			}
			return answer
		}))
	}
	js.Global().Set(name, object)
	select {}
}
