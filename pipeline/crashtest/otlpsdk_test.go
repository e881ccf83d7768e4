package crashtest

import (
	"context"
	"fmt"
	"strings"
	"testing"

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
	t.Parallel()
	for _, killed := range []bool{false, true} {
		f := follow(t, "otlp:127.0.0.1:0,0")
		http, calls, _ := strings.Cut(f.told("what is posted to http://", ";"), "/v1/traces, and what is sent by gRPC to http://")
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
		whole := f.recorded(1)
		f.end(killed)
		if !killed {
			f.says("run x: 600 events, 300 executions", "1 not an export of traces", "1 not traces")
		}
		f.sameAsIngested("spans of an SDK that were followed", whole)
	}
}
