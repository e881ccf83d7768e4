package callstack

import (
	"math/bits"

	"github.com/tracelake/tracelake/schema"
)

// Symbol is a letter of the alphabet of the automata: (function, kind, direction, peer) in one number.
// The direction counts only where the peer is known: an event whose other end was never traced is
// internal to its component.
//
// Symbols are made of codes, so they compare only among events of the same Names.
type Symbol uint64

const (
	functionShift  = 32
	kindShift      = 31
	directionShift = 29
	noPeer         = 1<<directionShift - 1
)

// SymbolOf returns the symbol of an enter or exit event. Components have fewer than 2^29 codes.
func SymbolOf(function schema.Code, kind schema.Kind, direction schema.Direction, peer schema.Code) Symbol {
	if peer == schema.NoCode {
		direction = schema.NoMessage
	}
	return Symbol(function)<<functionShift | Symbol(kind&1)<<kindShift |
		Symbol(direction&3)<<directionShift | Symbol(peer&noPeer)
}

// Function is the function that is entered or left.
func (s Symbol) Function() schema.Code { return schema.Code(s >> functionShift) }

// Kind is Enter or Exit.
func (s Symbol) Kind() schema.Kind { return schema.Kind(s >> kindShift & 1) }

// Direction reports whether the event sends or receives.
func (s Symbol) Direction() schema.Direction { return schema.Direction(s >> directionShift & 3) }

// Peer is the component at the other end of the message, or NoCode.
func (s Symbol) Peer() schema.Code {
	if p := schema.Code(s & noPeer); p != noPeer {
		return p
	}
	return schema.NoCode
}

// FragmentPeer is the component after which the service fragment of a word that starts with s is
// named, or NoCode: the third part of schema.FragmentName.
func (s Symbol) FragmentPeer() schema.Code {
	if s.Direction() == schema.NoMessage {
		return schema.NoCode
	}
	return s.Peer()
}

// Hash hashes the symbol together with a number, such as a state, for an open-addressing table: the halves of a 128-bit
// product, folded, so that every bit of both reaches the low ones.
func (s Symbol) Hash(with uint64) uint32 {
	hi, lo := bits.Mul64(with^0x9e3779b97f4a7c15, uint64(s)^0xd6e8feb86659fd93)
	h := hi ^ lo
	return uint32(h ^ h>>32)
}
