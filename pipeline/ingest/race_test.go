//go:build race

package ingest_test

func init() { raced = true }
