package main

import (
	"github.com/tracelake/tracelake/stages/behaviour/levels"
)

// letter writes the number of a variant: 1 is A, 26 is Z, 27 is AA; 0 is no behaviour.
func letter(variant int64) string {
	if variant == 0 {
		return "-"
	}
	text := ""
	for n := variant; n > 0; n = (n - 1) / 26 {
		text = string(rune('A'+(n-1)%26)) + text
	}
	return text
}

// bracketed is the letter of a variant, in brackets if it is computed.
func bracketed(computed map[int64]bool, variant int64) string {
	if computed[variant] {
		return "(" + letter(variant) + ")"
	}
	return letter(variant)
}

// legend explains the brackets, if there can be any.
func (r *levelsReport) legend() string {
	if r.job.Options.Completion == levels.None {
		return ""
	}
	return "; (C) is computed"
}

// incomplete marks a variant of which a union or an intersection is missing.
func incomplete(is bool) string {
	if is {
		return "*"
	}
	return ""
}
