package otf1

// put sets what a token means, unless a supplement would change it, and reports whether it meant something else.
func put[T comparable](d *definitions, f *fields, of map[uint64]T, token uint64, value T) (changed bool) {
	if f.fault != "" {
		return false
	}
	old, defined := of[token]
	// Definitions of one stream fill in what the global ones lack, and change nothing.
	if defined && d.supplement {
		return false
	}
	of[token] = value
	return defined && old != value
}

// function reads token GROUP group NAME "name" [SCL scl].
func (d *definitions) function(f *fields) bool {
	var def functionDef
	token := f.hex("a function")
	f.need("G", "GROUP")
	def.group = f.hex("a function group")
	f.need("NM", "NAME")
	def.name = f.quoted("the name of the function")
	if f.is("X", "SCL") {
		def.scl = f.hex("a place in the source code")
	}
	return put(d, f, d.functions, token, def)
}

// process reads token NAME "name" [PARENT process].
func (d *definitions) process(f *fields) bool {
	var def processDef
	token := f.hex("a process")
	f.need("NM", "NAME")
	def.name = f.quoted("the name of the process")
	if f.is("PT", "PARENT") {
		def.parent = f.hex("a process")
		def.thread = def.parent != 0
	}
	return put(d, f, d.processes, token, def)
}

// place reads token FILE file LINE line.
func (d *definitions) place(f *fields) bool {
	token := f.hex("a place in the source code")
	f.need("F", "FILE")
	file := f.hex("a source file")
	f.need("LN", "LINE")
	f.hex("a line")
	return put(d, f, d.lines, token, file)
}

// name reads token ... NAME "name", with a list of members between for a process group.
func (d *definitions) name(f *fields, kind nameKind) bool {
	token := f.hex("a number")
	if kind == communicators && f.is("M", "MEMBERS") {
		// The members of a communicator give its ranks; a supplement does not change them.
		if list := members(f); d.members[token] == nil || !d.supplement {
			d.members[token] = list
		}
	}
	f.need("NM", "NAME")
	return put(d, f, d.names[kind], token, f.quoted("a name"))
}

// members reads a list whose every member is followed by a comma.
func members(f *fields) (list []uint64) {
	// A number ends the list where no comma follows; the keyword NAME comes next.
	for f.more() && hexDigit[f.text[f.at]] < 16 {
		list = append(list, f.hex("a process"))
		if f.skip(); f.at < len(f.text) && f.text[f.at] == ',' {
			f.at++
		}
	}
	return list
}

// timer reads how many ticks a second has.
func (d *definitions) timer(f *fields) bool {
	ticks := f.hex("the ticks of a second")
	if f.fault == "" && ticks == 0 {
		f.fail("more than 0 ticks a second")
	}
	if f.fault != "" || d.supplement && d.resolution != 0 {
		return false
	}
	changed := d.resolution != 0 && d.resolution != ticks
	d.resolution = ticks
	return changed
}

// timeRange reads least TIME most.
func (d *definitions) timeRange(f *fields) bool {
	least := f.hex("the first time")
	f.need("T", "TIME")
	f.hex("the last time")
	if f.fault != "" || d.supplement && d.ranged {
		return false
	}
	changed := d.ranged && d.least != least
	d.least, d.ranged = least, true
	return changed
}
