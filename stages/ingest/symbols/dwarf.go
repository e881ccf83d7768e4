package symbols

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"path"
	"slices"
	"strings"
)

// unit is a unit of the debug data: what was compiled at once.
type unit struct {
	start  dwarf.Offset      // offset of its record
	folder string            // in which the compiler ran; "" if that is not known
	files  []*dwarf.LineFile // that line numbers and declarations refer to
}

// declared is a piece of the code of a function, and where the debug data name the file that defines it: by
// its position in the files of the unit that the record at an offset is in. Code that was optimised when it
// was linked is in another unit than that record.
type declared struct {
	start  uint64       // address of the code
	record dwarf.Offset // offset of the record that names the file
	file   int64        // position in the unit's files
}

// debug collects functions from the debug data. Defects end the collection; what was read before is good.
type debug struct {
	data      *dwarf.Data // of the ELF file
	lines     lineTables  // of its units
	units     []unit      // rising
	functions []declared  // in the order of the data
}

// dwarfUnits maps the start of each function that the debug data know to the file that defines it, below the
// source root. The root is the longest folder that holds the folders in which the units were compiled; a file
// elsewhere, such as a header of the system, keeps its whole path.
func dwarfUnits(file *elf.File) map[uint64]string {
	data, err := file.DWARF()
	if err != nil {
		return nil
	}
	d := debug{data: data, lines: tablesOfLines(file)}
	d.collect()
	return d.files()
}

// mostEnds is the number of ends of lists that may follow each other between units, as bytes that fill a section up. Where the data end within a number the
// library gives such an end for ever.
const mostEnds = 1 << 16

// collect collects the functions of all units. The library panics at some damaged tables of lines, as where one states a negative length
// of its header: that is a defect of the data as any other.
func (d *debug) collect() {
	defer func() { recover() }()
	r := d.data.Reader()
	for ends := 0; ends < mostEnds; {
		e, err := r.Next()
		if err != nil || e == nil {
			return
		}
		switch e.Tag {
		case 0:
			ends++
			continue
		case dwarf.TagCompileUnit:
			d.unit(r, e)
		default:
			r.SkipChildren()
		}
		ends = 0
	}
}

// unit collects the functions of the unit whose record was read last.
func (d *debug) unit(r *dwarf.Reader, e *dwarf.Entry) {
	u := unit{start: e.Offset}
	if folder, ok := e.Val(dwarf.AttrCompDir).(string); ok && folder != "" {
		u.folder = path.Clean(folder)
	}
	if d.lines.sound(e) {
		if lines, err := d.data.LineReader(e); err == nil && lines != nil {
			u.files = lines.Files()
		}
	}
	d.units = append(d.units, u)
	// Functions lie in the unit itself or in its namespaces and modules. Their own children (variables, inlined calls)
	// are skipped, which is most of the data.
	depth := 1
	for e.Children && depth > 0 {
		child, err := r.Next()
		if err != nil || child == nil {
			return
		}
		switch child.Tag {
		case 0: // the end of a list
			depth--
		case dwarf.TagNamespace, dwarf.TagModule:
			if child.Children {
				depth++
			}
		case dwarf.TagSubprogram:
			d.function(child)
			r.SkipChildren()
		default:
			r.SkipChildren()
		}
	}
}

// function collects a function that has code.
func (d *debug) function(e *dwarf.Entry) {
	pieces, err := d.data.Ranges(e)
	if err != nil || len(pieces) == 0 {
		return
	}
	record, file, ok := d.declaration(e)
	for i := 0; i < len(pieces) && ok; i++ {
		d.functions = append(d.functions, declared{pieces[i][0], record, file})
	}
}

// declaration finds the record that names the file of a function. A copy of an inline function and a member of
// a class name it in a record that they point to, which may do the same.
func (d *debug) declaration(e *dwarf.Entry) (record dwarf.Offset, file int64, ok bool) {
	// The chain is bounded, since damaged data may point in a circle.
	for range 4 {
		if file, ok = e.Val(dwarf.AttrDeclFile).(int64); ok {
			return e.Offset, file, true
		}
		at, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			if at, ok = e.Val(dwarf.AttrSpecification).(dwarf.Offset); !ok {
				break
			}
		}
		r := d.data.Reader()
		r.Seek(at)
		var err error
		if e, err = r.Next(); err != nil || e == nil {
			break
		}
	}
	return 0, 0, false
}

// files names the file of each function.
func (d *debug) files() map[uint64]string {
	root := ""
	names := make(map[uint64]string, len(d.functions))
	for _, f := range d.functions {
		// The unit of a record is the last one that begins at or before it.
		i, exact := slices.BinarySearchFunc(d.units, f.record, func(u unit, at dwarf.Offset) int {
			return cmp.Compare(u.start, at)
		})
		if !exact {
			i--
		}
		u := d.units[i] // which is there, since the record was read after it
		if f.file < 0 || f.file >= int64(len(u.files)) || u.files[f.file] == nil {
			continue
		}
		// A function that link-time optimisation split has several pieces, each of which is named.
		names[f.start] = path.Clean(strings.ToValidUTF8(u.files[f.file].Name, "?"))
		// The root is what the folders of all units that define a function have in common.
		if root == "" {
			root = u.folder
		} else if u.folder != "" {
			root = CommonFolder(root, u.folder)
		}
	}
	for start, name := range names {
		names[start] = strings.TrimPrefix(name, strings.TrimSuffix(root, "/")+"/")
	}
	return names
}
