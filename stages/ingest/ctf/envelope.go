package ctf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

const (
	textMagic      = "/* CTF 1.8" // begins metadata that is plain text
	metadataMagic  = 0x75D11D57   // begins every packet of metadata, in the byte order of its host
	metadataHeader = 37           // bytes before the text of a packet
	maxMetadata    = 64 << 20     // bytes
)

// isMetadata reports whether a file begins like metadata of version 1.8 or 2.
func isMetadata(head []byte) bool {
	return bytes.HasPrefix(head, []byte(textMagic)) || packetOrder(head) != nil || isFragments(head)
}

// packetOrder is the byte order of metadata in packets, nil for text.
func packetOrder(head []byte) binary.ByteOrder {
	if len(head) >= metadataHeader {
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			if order.Uint32(head) == metadataMagic {
				return order
			}
		}
	}
	return nil
}

// readMetadata returns the text of a metadata file.
func readMetadata(r io.Reader, file string) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxMetadata+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	if len(data) > maxMetadata {
		return "", fmt.Errorf("%s: more than %d bytes of metadata", file, maxMetadata)
	}
	order := packetOrder(data)
	if order == nil {
		return string(data), nil
	}
	var out strings.Builder
	for at := 0; at < len(data); {
		text, size, err := openPacket(data[at:], order)
		if err != nil {
			return "", &schema.SyntaxError{File: file, Offset: int64(at), Err: err}
		}
		out.Write(text)
		at += size
	}
	return out.String(), nil
}

// openPacket returns the text of the first packet and its size in bytes.
func openPacket(p []byte, order binary.ByteOrder) (text []byte, size int, err error) {
	if len(p) < metadataHeader || order.Uint32(p) != metadataMagic {
		return nil, 0, errors.New("expected a packet of metadata")
	}
	content, packet := int(order.Uint32(p[24:])), int(order.Uint32(p[28:]))
	switch {
	case content%8 != 0 || packet%8 != 0 || content > packet || content/8 < metadataHeader:
		return nil, 0, fmt.Errorf("a packet of metadata cannot have %d bits in %d", content, packet)
	case packet/8 > len(p):
		return nil, 0, fmt.Errorf("a packet of metadata has %d bytes, of which %d are there", packet/8, len(p))
	case p[32] != 0 || p[33] != 0 || p[34] != 0:
		return nil, 0, errors.New("compressed, encrypted or checked metadata are not supported")
	case (p[35] != 1 || p[36] != 8) && (p[35] != 2 || p[36] != 0):
		return nil, 0, fmt.Errorf("expected CTF 1.8 or 2.0, found %d.%d", p[35], p[36])
	}
	return p[metadataHeader : content/8], packet / 8, nil
}
