// Package tags collects the attributes that records of a trace have beyond what the tables have columns for: arguments of Chrome
// events, attributes and tags of spans. A reader asks Wants for every name that it meets, and adds what the user asked for to a set;
// equal sets have one number, so that a record keeps four bytes. The table attributes has them, see schema.Attributed.
//
// What is kept has bounds that do not depend on the memory, so that a lake does not either: Most.
package tags
