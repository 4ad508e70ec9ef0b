package config

import "fmt"

// checkSize refuses a text over [MaxSize] before anything walks it.
func checkSize(text string) error {
	if len(text) > MaxSize {
		return &SyntaxError{Offset: MaxSize, Msg: fmt.Sprintf(
			"the config has %d bytes; more than %d MiB is not read", len(text), MaxSize>>20)}
	}
	return nil
}

// checkDepth refuses JSON that nests deeper than [MaxDepth]. It reads strings
// and comments as hujson does, so that up to the first syntax error it counts
// exactly the brackets that hujson would recurse into.
func checkDepth(text string) error {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = skipString(text, i) - 1
		case '/':
			if end := skipComment(text, i); end > i {
				i = end - 1
			}
		case '{', '[':
			if depth++; depth > MaxDepth {
				return &SyntaxError{Offset: i, Msg: fmt.Sprintf(
					"nested more than %d levels deep", MaxDepth)}
			}
		case '}', ']':
			depth--
		}
	}
	return nil
}

// skipString gives the offset after the string that begins at i, or the end
// of the text where it is never closed.
func skipString(text string, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// skipComment gives the offset after the // or /* comment that begins at i,
// or i where none does. The line end is not part of a line comment.
func skipComment(text string, i int) int {
	if i+1 >= len(text) || text[i] != '/' {
		return i
	}
	end := i + 2
	switch text[i+1] {
	case '/':
		for end < len(text) && text[end] != '\n' {
			end++
		}
		return end
	case '*':
		for ; end+1 < len(text); end++ {
			if text[end] == '*' && text[end+1] == '/' {
				return end + 2
			}
		}
		return len(text)
	}
	return i
}
