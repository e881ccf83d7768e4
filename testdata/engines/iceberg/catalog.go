package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	_ "github.com/apache/iceberg-go/catalog/rest"
	_ "github.com/apache/iceberg-go/catalog/sql"
	_ "github.com/apache/iceberg-go/io/gocloud"
	"github.com/apache/iceberg-go/table"
	"github.com/uptrace/bun/driver/sqliteshim"
)

// catalogName is the name under which a database of several catalogs keeps this one.
const catalogName = "tracelake"

// openCatalog opens the catalog of a URI: http or https for one that speaks Iceberg's REST protocol, sqlite for a database in a file, which
// is made where there is none. The metadata of the latter's tables lie in a folder warehouse beside the file, unless a property says
// otherwise.
func openCatalog(ctx context.Context, uri string, properties map[string]string) (catalog.Catalog, error) {
	scheme, rest, _ := strings.Cut(uri, ":")
	p := iceberg.Properties{}
	switch scheme {
	case "http", "https":
		p["type"], p["uri"] = "rest", uri
	case "sqlite":
		path, err := filepath.Abs(strings.TrimPrefix(rest, "//"))
		if err != nil {
			return nil, err
		}
		p["type"], p["sql.dialect"], p["sql.driver"] = "sql", "sqlite", sqliteshim.ShimName
		// Others may write to the file: they are waited for. The names are those of both drivers that there are.
		p["uri"] = "file:" + (&url.URL{Path: path}).EscapedPath() + "?_pragma=busy_timeout(30000)&_busy_timeout=30000&_txlock=immediate"
		p["warehouse"] = "file://" + filepath.Join(filepath.Dir(path), "warehouse")
	default:
		return nil, fmt.Errorf("%q: a catalog is http://HOST, https://HOST or sqlite:FILE", uri)
	}
	maps.Copy(p, properties)
	return catalog.Load(ctx, catalogName, p)
}

// makeNamespace makes the namespace unless it is there.
func makeNamespace(ctx context.Context, c catalog.Catalog, name string) error {
	there, err := c.CheckNamespaceExists(ctx, table.Identifier{name})
	if err != nil || there {
		return err
	}
	err = c.CreateNamespace(ctx, table.Identifier{name}, nil)
	if errors.Is(err, catalog.ErrNamespaceAlreadyExists) {
		return nil // another publisher was faster
	}
	return err
}
