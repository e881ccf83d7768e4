package lake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// An inventory begins with the checksum of what follows, so that a flipped byte cannot make it say something else:
//
//	{
//	 "crc32c": "0d9a1e73",
//	 "partition": "run=a", ...
//
// The checksum is the CRC-32C of all bytes behind its comma. It is JSON still, for people and other programs.
const sealBegin, sealEnd = "{\n \"crc32c\": \"", "\","

// sealLength is the length of what stands before the bytes that are summed: a checksum has eight digits.
const sealLength = len(sealBegin) + 8 + len(sealEnd)

// seal writes a value as JSON with a checksum. The text is indented, so that people can read such files and compare them.
func seal(value any) ([]byte, error) {
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return nil, err
	}
	body := append(text[1:], '\n') // without the brace
	return append([]byte(sealBegin+sumText(body)+sealEnd), body...), nil
}

// unseal reads what seal wrote. A text with any other byte is refused, and so is one with a field that the value does not
// have: it is of a program that knows more, and to leave it out may be to answer wrongly.
func unseal(text []byte, into any) error {
	if len(text) < sealLength || !bytes.HasPrefix(text, []byte(sealBegin)) || string(text[sealLength-len(sealEnd):sealLength]) != sealEnd {
		return errors.New("it does not begin with a checksum: it is damaged")
	}
	stated, body := string(text[len(sealBegin):sealLength-len(sealEnd)]), text[sealLength:]
	if sum := sumText(body); sum != stated {
		return fmt.Errorf("its checksum is %s, and it states %s: it is damaged", sum, stated)
	}
	d := json.NewDecoder(bytes.NewReader(append([]byte("{"), body...)))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// sumText is the checksum of some bytes, in the form that manifests have.
func sumText(text []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(text, castagnoli)) }

// summedObject is the size up to which objects are summed.
const summedObject = 1 << 20

// checkOnce compares a file with the size and the checksum that its manifest states, when this process first opens it: a
// flipped byte is then an error that names the file, and never another answer. Pages of Parquet have checksums of their own,
// but what leads to them, the bounds by which row groups are passed over, and the rows of small tables have none. To sum a
// file that is decoded afterwards costs a hundredth of that. Of objects only small files are summed, since to sum a file is to fetch all of it:
// the store keeps checksums, and answers with them.
func (l *Lake) checkOnce(f File) error {
	if _, done := l.checked.Load(f); done {
		return nil
	}
	object, err := l.storage.Open(f.Path)
	if err != nil {
		return err
	}
	defer object.Close()
	if object.Size() != f.Bytes {
		return fmt.Errorf("%s is damaged: it has %d bytes, and its manifest states %d; see analyze verify", l.Path(f), object.Size(), f.Bytes)
	}
	if l.objects != nil && f.Bytes > summedObject {
		l.checked.Store(f, true)
		return nil
	}
	sum := crc32.New(castagnoli)
	if _, err = io.Copy(sum, io.NewSectionReader(object, 0, f.Bytes)); err != nil {
		return err
	}
	if text := crcText(sum); text != f.Crc32c {
		return fmt.Errorf("%s is damaged: its checksum is %s, and its manifest states %s; see analyze verify", l.Path(f), text, f.Crc32c)
	}
	l.checked.Store(f, true)
	return nil
}
