package web_test

import (
	"context"
	"encoding/json"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// longestTask does something and gives the processor time of the longest task
// that the page's main thread ran meanwhile, in milliseconds. That is how long
// the page cannot answer on a machine with nothing else to do, and unlike the
// time on the clock it is nearly the same on a busy one.
func (p *tab) longestTask(do func()) float64 {
	p.Helper()
	ctx, stop := context.WithTimeout(p.ctx, 5*time.Minute)
	defer stop()
	complete := chromedp.Events(ctx, tracing.TracingComplete)
	p.call(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, tracing.Start, tracing.StartParams{
			TransferMode: tracing.StartTransferModeReturnAsStream,
			TraceConfig:  &tracing.TraceConfig{IncludedCategories: []string{"toplevel"}, ExcludedCategories: []string{"*"}},
		})
		return err
	})
	do()
	p.call(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, tracing.End, cdp.Empty{})
		return err
	})
	for e, err := range complete {
		if err != nil {
			p.Fatalf("waiting for the browser's trace: %v", err)
		}
		most := longest(p.stream(e.Stream))
		if most == 0 {
			p.Fatal("the browser's trace tells nothing of the page's main thread")
		}
		return most
	}
	p.Fatal("the browser's trace never ended")
	return 0
}

// stream reads what the browser holds under a handle.
func (p *tab) stream(handle io.StreamHandle) []byte {
	p.Helper()
	var text []byte
	p.call(func(ctx context.Context, target *chromedp.Target) error {
		for {
			part, err := cdp.Call(ctx, target, io.Read, io.ReadParams{Handle: handle})
			text = append(text, part.Data...)
			if err != nil || part.EOF {
				return err
			}
		}
	})
	return text
}

// longest is the processor time of the longest task of a page's main thread in
// a trace.
func longest(trace []byte) float64 {
	type thread struct{ Pid, Tid int }
	var read struct {
		TraceEvents []struct {
			thread
			Name string
			Tdur float64 // microseconds of the thread's own time
			Args struct{ Name string }
		}
	}
	if err := json.Unmarshal(trace, &read); err != nil {
		panic(err)
	}
	main := map[thread]bool{}
	for _, e := range read.TraceEvents {
		if e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
			main[e.thread] = true
		}
	}
	most := 0.0
	for _, e := range read.TraceEvents {
		if main[e.thread] {
			most = max(most, e.Tdur/1000)
		}
	}
	return most
}
