package crashtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// traceBy makes spans with an SDK of OpenTelemetry, and sends them by an exporter, in several requests.
func traceBy(t *testing.T, exporter sdktrace.SpanExporter, service string) {
	ctx := context.Background()
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter, sdktrace.WithMaxExportBatchSize(20)), sdktrace.WithSampler(sdktrace.AlwaysSample()),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", service))))
	tracer := provider.Tracer("test")
	for i := range 50 {
		outer, span := tracer.Start(ctx, "handle")
		_, inner := tracer.Start(outer, fmt.Sprintf("query-%d", i%5))
		inner.End()
		span.End()
	}
	expect.OK(t, provider.ForceFlush(ctx))
	expect.OK(t, provider.Shutdown(ctx))
}

// TestFollowSDK has a real SDK of OpenTelemetry send spans over gRPC and over HTTP, by gzip and plain. The run is that of a file of what was recorded, byte by
// byte, also where the recorder is killed, and has all spans. What is no export of traces is refused with a reason.
func TestFollowSDK(t *testing.T) {
	for _, killed := range []bool{false, true} {
		dir := t.TempDir()
		lake := filepath.Join(dir, "lake")
		c, _ := program(lake, "ingest", "--follow", "--run", "x", "--label", "night=1", "otlp:127.0.0.1:0,0")
		stderr := expect.Value(os.Create(filepath.Join(dir, "stderr")))(t)
		c.Stderr = stderr
		said := func() string { return string(expect.Value(os.ReadFile(stderr.Name()))(t)) }
		expect.OK(t, c.Start())
		expect.OK(t, stderr.Close())
		limit := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
		t.Cleanup(func() { limit.Stop(); c.Process.Kill() })
		var http, calls string
		for range 1000 {
			if _, at, is := strings.Cut(said(), "what is posted to http://"); is && strings.Contains(at, ";") {
				at, _, _ = strings.Cut(at, ";")
				http, calls, _ = strings.Cut(at, "/v1/traces, and what is sent by gRPC to http://")
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		ctx := context.Background()
		traceBy(t, expect.Value(otlptracegrpc.New(ctx, otlptracegrpc.WithInsecure(), otlptracegrpc.WithEndpoint(calls)))(t), "plain")
		traceBy(t, expect.Value(otlptracegrpc.New(ctx, otlptracegrpc.WithInsecure(), otlptracegrpc.WithEndpoint(calls), otlptracegrpc.WithCompressor("gzip")))(t), "zipped")
		traceBy(t, expect.Value(otlptracehttp.New(ctx, otlptracehttp.WithInsecure(), otlptracehttp.WithEndpoint(http)))(t), "posted")

		conn := expect.Value(grpc.NewClient(calls, grpc.WithTransportCredentials(insecure.NewCredentials())))(t)
		for method, code := range map[string]codes.Code{
			"/opentelemetry.proto.collector.metrics.v1.MetricsService/Export": codes.Unimplemented, "/opentelemetry.proto.collector.trace.v1.TraceService/Export": codes.InvalidArgument,
		} {
			err := conn.Invoke(ctx, method, wrapperspb.String("no traces"), new(wrapperspb.StringValue))
			expect.Equal(t, status.Code(err), code, "%s: %v", method, err)
		}
		expect.OK(t, conn.Close())
		whole := expect.Value(os.ReadFile(filepath.Join(lake, "_live/run=x/trace")))(t)
		if killed {
			time.Sleep(100 * time.Millisecond) // the list of blocks is written behind the bytes
			expect.OK(t, c.Process.Kill())
			c.Wait()
			must(t, lake, "ingest", "seal", "--quiet", "x")
		} else {
			expect.OK(t, c.Process.Signal(syscall.SIGINT))
			if err := c.Wait(); err != nil {
				t.Fatalf("%v\n%s", err, said())
			}
			for _, words := range []string{"run x: 600 events, 300 executions", "1 not an export of traces", "1 not traces"} {
				if !strings.Contains(said(), words) {
					t.Errorf("it does not say %q: %s", words, said())
				}
			}
		}
		trace, batch := filepath.Join(dir, "trace"), filepath.Join(dir, "batch")
		expect.OK(t, os.WriteFile(trace, whole, 0o666))
		must(t, batch, "ingest", "--quiet", "--run", "x", "--label", "night=1", trace)
		laketest.CheckSame(t, "spans of an SDK that were followed", tables(t, lake), tables(t, batch))
	}
}
