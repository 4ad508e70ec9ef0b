package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// eachLine answers every line of in with one JSON line on out.
func eachLine(in io.Reader, out io.Writer, answer func(line []byte) (any, error)) error {
	r := bufio.NewReaderSize(in, 1<<16)
	w := bufio.NewWriter(out)
	defer w.Flush()
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	bad, number := 0, 0
	for {
		line, err := r.ReadBytes('\n')
		number++
		if len(bytes.TrimSpace(line)) > 0 {
			reply, problem := answer(line)
			if problem != nil {
				bad++
				reply = struct {
					ID    any    `json:"id"`
					Error string `json:"error"`
				}{nil, fmt.Sprintf("line %d: %v", number, problem)}
			}
			if err := encoder.Encode(reply); err != nil {
				return fmt.Errorf("cannot write: %w", err)
			}
		}
		if err == io.EOF {
			break
		}
		if errors.Is(err, errInterrupted) {
			return err
		}
		if err != nil {
			return fmt.Errorf("cannot read line %d: %w", number, err)
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of the lines could not be read", bad)
	}
	return nil
}
