package claims

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Behaviours are the classes of items that were treated alike.
type Behaviours struct {
	Item    string   `json:"item"`    // the attribute
	By      string   `json:"by"`      // the attributes by which claims of items correspond, in words
	Order   string   `json:"order"`   // reduced or full: which edges of the order are compared
	Items   int      `json:"items"`   // of all runs
	Groups  []string `json:"groups"`  // releases; none where runs are not grouped
	Totals  []int    `json:"totals"`  // items of each group
	Classes []Class  `json:"classes"` // the most frequent first
	Top     int      `json:"-"`       // rows of the table in text; 0 for all
}

// Class is a class of items.
type Class struct {
	Items          int      `json:"items"`                     // of all groups together
	Groups         []int    `json:"items_of_groups,omitempty"` // likewise, of each group; none where runs are not grouped
	Run            string   `json:"run"`                       // of the representative
	Representative string   `json:"representative"`            // the item that stands for the class
	Members        []string `json:"members"`                   // RUN/ITEM, or ITEM where there is one run; the first thousand
	LastsNs        int64    `json:"representative_ns"`         // from its first start to its last end
	Claims         []string `json:"claims"`                    // of the representative, in the order of their starts
	Word           string   `json:"word,omitempty"`            // what became of the class from the first group to the last; "" for nothing
}

// The words for what became of a class from the first to the last group.
const (
	Appeared = "appeared"
	Vanished = "vanished"
	Rarer    = "rarer"
	Oftener  = "more frequent"
)

// WriteJSON writes one object.
func (r *Behaviours) WriteJSON(out io.Writer) error { return json.NewEncoder(out).Encode(r) }

// WriteText writes a row a class, the most frequent first.
func (r *Behaviours) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "%s in %s, by %s, %s order\n\n", texttab.Plural(r.Items, "item")+" of "+texttab.Printable(r.Item), behaviours(len(r.Classes)), r.By, r.Order)
	t := texttab.New("rr" + strings.Repeat("r", len(r.Groups)) + "lll")
	head := []string{"items", "share"}
	head = append(head, r.Groups...)
	if len(r.Groups) > 0 {
		head = append(head, "over releases")
	}
	t.Row(append(head, "such as", "claims")...)
	shown := r.Classes
	if r.Top > 0 {
		shown = shown[:min(len(shown), r.Top)]
	}
	for _, c := range shown {
		row := []string{texttab.Count(c.Items), texttab.Percent(int64(c.Items), int64(r.Items))}
		for g, n := range c.Groups {
			row = append(row, texttab.Percent(int64(n), int64(r.Totals[g])))
		}
		if len(r.Groups) > 0 {
			row = append(row, c.Word)
		}
		t.Row(append(row, texttab.Printable(c.Members[0]), texttab.Printable(sequence(c.Claims)))...)
	}
	if err := t.Write(out); err != nil {
		return err
	}
	if more := len(r.Classes) - len(shown); more > 0 {
		fmt.Fprintf(out, "%s more: --top 0 prints all\n", behaviours(more))
	}
	return nil
}

// behaviours counts behaviours.
func behaviours(n int) string {
	if n == 1 {
		return "1 behaviour"
	}
	return texttab.Count(n) + " behaviours"
}

// sequence names the first claims of an item.
func sequence(claims []string) string {
	const most = 12
	if len(claims) > most {
		return strings.Join(claims[:most], " ") + fmt.Sprintf(" ... (%s)", texttab.Plural(len(claims), "claim"))
	}
	return strings.Join(claims, " ")
}
