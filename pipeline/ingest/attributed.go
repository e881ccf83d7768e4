package ingest

import (
	"errors"
	"math"
	"strconv"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// things writes what a trace says of its things: the tables attributes, resources, claims, dependencies, signals and
// fragments_of_signals, of which a run has those with rows. Claims and attributes are written while the trace is read, as
// the sequence numbers of their events are known then; in memory are the ends of dependencies, 32 bytes each, whose other end
// may come at any time.
type things struct {
	*schema.Attributed
	staging *lake.Staging

	claims         *schema.Claims
	attributes     *schema.Attributes
	claimsFile     *lake.TableWriter // nil before the first row
	attributesFile *lake.TableWriter
	ends           []dependencyEnds // by dependency
	numbers        []float64        // by code of a value: the number that it is; infinite where it was not asked for
	list           []schema.Attribute

	fromNs, toNs int64 // of the fragments of signals
}

// dependencyEnds are the events that a dependency ties. A seq that is schema.NoValue is not known.
type dependencyEnds struct{ source, target, sourceNs, targetNs int64 }

// partOfThings is the number of the only file of a table of things.
const partOfThings = 0

// begin takes what the reader knows before its first block.
func (t *things) begin(of *schema.Attributed) {
	t.Attributed, t.claims, t.attributes = of, new(schema.Claims), schema.NewAttributes(of.Texts)
	t.ends = make([]dependencyEnds, len(of.Dependencies))
	for i := range t.ends {
		t.ends[i].source, t.ends[i].target = schema.NoValue, schema.NoValue
	}
	t.fromNs, t.toNs = math.MaxInt64, math.MinInt64
	if t.Guard != nil {
		t.Guard.Lock()
		defer t.Guard.Unlock()
	}
	t.describe(schema.OfTrace, schema.NoValue, of.Trace)
	for i, r := range of.Resources {
		t.describe(schema.OfResource, r.Resource, of.OfResources[i])
	}
}

// take takes the claims and the ends of dependencies of a block, with the sequence numbers of its rows.
func (t *things) take(b *schema.Block, seqs []int64) error {
	if t.Guard != nil && len(b.Claims) > 0 {
		t.Guard.Lock()
		defer t.Guard.Unlock()
	}
	for i := range b.Claims {
		c := &b.Claims[i]
		seq := seqs[c.Row]
		if c.Resource == schema.RegularEvent {
			t.describe(schema.OfEvent, seq, c.Set)
			continue
		}
		amount, place := t.describe(schema.OfClaim, seq, c.Set)
		if c.Resource == schema.NoResource {
			continue
		}
		t.claims.Execution, t.claims.ID = append(t.claims.Execution, seq), append(t.claims.ID, c.ID)
		t.claims.Resource = append(t.claims.Resource, t.Claimed[c.Resource])
		t.claims.Amount, t.claims.Place = append(t.claims.Amount, amount), append(t.claims.Place, place)
	}
	for _, e := range b.Ends {
		if ends := &t.ends[e.Dependency]; e.Target {
			ends.target, ends.targetNs = seqs[e.Row], b.TimeNs[e.Row]
		} else {
			ends.source, ends.sourceNs = seqs[e.Row], b.TimeNs[e.Row]
		}
	}
	if err := writeWhole(t.staging, &t.claimsFile, "claims", t.claims); err != nil {
		return err
	}
	return writeWhole(t.staging, &t.attributesFile, "attributes", t.attributes)
}

// describe adds the attributes of a thing, and returns those that have columns of their own: NaN where the thing has none.
func (t *things) describe(about schema.AttributeOf, ref int64, set schema.AttributeSet) (amount, place float64) {
	amount, place = math.NaN(), math.NaN()
	t.list = t.Sets.Append(t.list[:0], set)
	a := t.attributes
	for _, one := range t.list {
		switch t.Texts.Names.Name(one.Name) {
		case schema.ClaimAmount:
			amount = t.number(one.Value)
		case schema.ClaimPlace:
			place = t.number(one.Value)
		default:
			a.About, a.Ref = append(a.About, about), append(a.Ref, ref)
			a.Name, a.Value = append(a.Name, one.Name), append(a.Value, one.Value)
		}
	}
	return amount, place
}

// number is a value as a number, NaN where it is none. Every value is read once.
func (t *things) number(value schema.Code) float64 {
	for len(t.numbers) <= int(value) {
		t.numbers = append(t.numbers, math.Inf(1))
	}
	if math.IsInf(t.numbers[value], 1) {
		n, err := strconv.ParseFloat(t.Texts.Values.Name(value), 64)
		if err != nil || math.IsInf(n, 0) {
			n = math.NaN()
		}
		t.numbers[value] = n
	}
	return t.numbers[value]
}

// finish writes the rest, and adds the files of the tables that have rows.
func (t *things) finish(files map[string][]lake.File) error {
	if err := errors.Join(t.writeDependencies(files), t.writeFragments(files)); err != nil {
		return err
	}
	for i, s := range t.Signals {
		t.describe(schema.OfSignal, s.Signal, t.OfSignals[i])
	}
	return errors.Join(
		writeRest(t.staging, files, t.claimsFile, "claims", t.claims), writeRest(t.staging, files, t.attributesFile, "attributes", t.attributes),
		writeFew(t.staging, files, "resources", t.Resources), writeFew(t.staging, files, "signals", t.Signals))
}

// writeFew writes a table of few rows, if it has any.
func writeFew[T any](staging *lake.Staging, files map[string][]lake.File, table string, rows []T) error {
	if len(rows) == 0 {
		return nil
	}
	file, err := lake.Write(staging, table, lake.NoBucket, rows)
	files[table] = []lake.File{file}
	return err
}

// writeWhole writes the full row groups of a table into its file, which it creates with the first.
func writeWhole(staging *lake.Staging, file **lake.TableWriter, table string, rows schema.Columns) (err error) {
	if schema.Rows(rows) < lake.RowGroupRows {
		return nil
	}
	if *file == nil {
		if *file, err = staging.CreateTable(table, lake.NoBucket, partOfThings, rows); err != nil {
			return err
		}
	}
	return (*file).WriteFull(rows)
}

// writeRest writes the last rows of a table, and adds its file if there are any rows.
func writeRest(staging *lake.Staging, files map[string][]lake.File, file *lake.TableWriter, table string, last schema.Columns) (err error) {
	if file == nil && schema.Rows(last) == 0 {
		return nil
	}
	if file == nil {
		if file, err = staging.CreateTable(table, lake.NoBucket, partOfThings, last); err != nil {
			return err
		}
	}
	err = file.Finish(last)
	files[table] = []lake.File{file.File}
	return err
}

// writeDependencies writes the dependencies that have both ends, and adds their attributes.
func (t *things) writeDependencies(files map[string][]lake.File) error {
	var file *lake.TableWriter
	d := new(schema.Dependencies)
	weightName, weighted := t.Texts.Names.Lookup("weight")
	for i, ends := range t.ends {
		if ends.source == schema.NoValue || ends.target == schema.NoValue {
			continue
		}
		kind := t.Dependencies[i]
		t.describe(schema.OfDependency, int64(i), kind.Set)
		weight := math.NaN()
		for _, a := range t.list {
			if weighted && a.Name == weightName {
				weight = t.number(a.Value)
			}
		}
		d.Dependency, d.Type, d.Weight = append(d.Dependency, int64(i)), append(d.Type, int64(kind.Type)), append(d.Weight, weight)
		d.Source, d.SourceNs = append(d.Source, ends.source), append(d.SourceNs, ends.sourceNs)
		d.Target, d.TargetNs = append(d.Target, ends.target), append(d.TargetNs, ends.targetNs)
		if len(d.Type) < lake.RowGroupRows && i < len(t.ends)-1 {
			continue
		}
		if err := errors.Join(writeWhole(t.staging, &file, "dependencies", d), writeWhole(t.staging, &t.attributesFile, "attributes", t.attributes)); err != nil {
			file.Abandon()
			return err
		}
	}
	return writeRest(t.staging, files, file, "dependencies", d)
}

// writeFragments writes the fragments of signals.
func (t *things) writeFragments(files map[string][]lake.File) error {
	if t.Fragments == nil {
		return nil
	}
	var file *lake.TableWriter
	all := new(schema.SignalFragments)
	err := t.Fragments(func(some *schema.SignalFragments) error {
		for i, from := range some.FromNs {
			t.fromNs, t.toNs = min(t.fromNs, from), max(t.toNs, some.ToNs[i])
		}
		schema.AppendRows(all, some, 0, schema.Rows(some))
		return writeWhole(t.staging, &file, "fragments_of_signals", all)
	})
	if err != nil {
		file.Abandon()
		return err
	}
	return writeRest(t.staging, files, file, "fragments_of_signals", all)
}

// abandon removes what is written and not complete.
func (t *things) abandon() {
	if t != nil {
		t.claimsFile.Abandon()
		t.attributesFile.Abandon()
	}
}
