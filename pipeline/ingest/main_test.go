package ingest_test

import (
	"os"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
)

func TestMain(m *testing.M) { os.Exit(laketest.Main(m)) }
