package otf2

// Bytes that stand where the type of a record may stand.
const (
	endOfChunk  = 0 // what lies behind it in the chunk is not read
	endOfBuffer = 1 // passed over: records may go on behind it
	endOfFile   = 2 // no chunk follows
	chunkHeader = 3 // the first byte of every chunk
)

// record goes to the next record, if need be in the next chunk, and reads its type: endOfFile behind the last one.
func (c *chunks) record() (byte, error) {
	for !c.ended {
		if !c.inside { // before the first chunk, and behind the end of one
			if err := c.next(); err != nil {
				return 0, err
			}
		}
		// A full chunk may lack its end mark.
		kind := byte(endOfChunk)
		if err := c.need(1); err == nil {
			kind = c.buf[c.at]
			c.at++
		} else if err == errEnds {
			return 0, errNoEnd
		} else if err != errCross { // which says that the chunk is full
			return 0, err
		}
		if kind > endOfFile {
			return kind, nil
		}
		if kind == endOfBuffer {
			continue
		}
		c.inside, c.ended = false, kind == endOfFile
		// Records that are missing in the middle of a chunk show here only.
		if c.counted != c.says {
			return 0, errCount
		}
	}
	return endOfFile, nil
}

// lose gives up the rest of a chunk after an error. It returns the error if that is not of the chunk alone.
func (c *chunks) lose(err error) error {
	d, ok := err.(defect)
	if !ok {
		return err
	}
	c.inside, c.damaged = false, true
	if d == errEnds || d == errNoEnd {
		c.ended = true
	}
	return nil
}

// length reads the length of a record.
// It is one byte, or FF and eight bytes.
func (c *chunks) length() (uint64, error) {
	if err := c.need(1); err != nil {
		return 0, err
	}
	n := c.buf[c.at]
	if n != 0xff {
		c.at++
		return uint64(n), nil
	}
	if err := c.need(9); err != nil {
		return 0, err
	}
	c.at += 9
	return fullNumber(c.buf[c.at-8:], c.big), nil
}

// body reads the length of a record and its attributes, which last until the next call.
func (c *chunks) body() (fields, error) {
	n, err := c.length()
	if err != nil {
		return fields{}, err
	}
	if n > uint64(c.stop-c.offset()) { // before it becomes an int: damage may say 2^63
		return fields{}, errCross
	}
	if err := c.need(int(n)); err != nil {
		return fields{}, err
	}
	c.at += int(n)
	return fields{data: c.buf[c.at-int(n) : c.at], big: c.big}, nil
}

// single reads a record of one compressed number, which has no length.
// Its first byte says how many bytes follow, 0 for the number 0; FF stands for undefined.
func (c *chunks) single() (uint64, error) {
	if err := c.need(1); err != nil {
		return 0, err
	}
	n := int(c.buf[c.at])
	if n == 0xff {
		c.at++
		return undefined, nil
	}
	if n > 8 {
		return 0, errNumber
	}
	if err := c.need(1 + n); err != nil {
		return 0, err
	}
	c.at += 1 + n
	return shortNumber(c.buf[c.at-n:c.at], c.big), nil
}
