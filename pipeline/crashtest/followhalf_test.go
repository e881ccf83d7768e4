package crashtest

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/tracelake/tracelake/testdata/expect"
)

// cutting listens, and passes on the first bytes of each connection to an address. The connection breaks off then, as that of a program that is killed.
func cutting(t *testing.T, address string, bytes int) string {
	l := expect.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", address)
			if err != nil {
				from.Close()
				return
			}
			go func() { // answers
				b := make([]byte, 1<<10)
				for {
					n, err := to.Read(b)
					if err != nil {
						return
					}
					from.Write(b[:n])
				}
			}()
			left := bytes
			for b := make([]byte, 256); left > 0; {
				n, err := from.Read(b[:min(left, len(b))])
				if err != nil {
					break
				}
				to.Write(b[:n])
				left -= n
			}
			time.Sleep(50 * time.Millisecond) // what came is taken before the connection is reset
			for _, c := range []net.Conn{from, to} {
				c.(*net.TCPConn).SetLinger(0)
				c.Close()
			}
		}
	}()
	return l.Addr().String()
}

// TestFollowHalfOTLP sends whole requests over HTTP and gRPC, one that breaks off in its middle, and whole ones again: the trace has nothing of the half, which is
// counted as refused. It sends half a request, too, when the recorder ends or is killed. The run is that of a file of the whole requests, byte by byte.
func TestFollowHalfOTLP(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{false, true} {
		f := follow(t, "otlp:127.0.0.1:0,0")
		http, calls, _ := strings.Cut(f.told("what is posted to http://", ";"), "/v1/traces, and what is sent by gRPC to http://")
		var whole []byte
		sent := byte(0)
		next := func() []byte {
			sent++
			_, message := otlpSpan(fmt.Sprintf("service-%d", sent%3), sent, sent-1, 1_700_000_000_000_000_000+uint64(sent)*10, 1_700_000_000_000_001_000-uint64(sent)*10)
			return message
		}
		posted := func() {
			b := next()
			whole = append(whole, b...)
			code, got := post(t, "http://"+http+"/v1/traces", "application/x-protobuf", "", b)
			expect.Equal(t, fmt.Sprint(code, got), "200", "the answer of request %d", sent)
		}
		half := func() net.Conn {
			b := next()
			c := expect.Value(net.Dial("tcp", http))(t)
			head := fmt.Sprintf("POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\nContent-Length: %d\r\n\r\n", len(b))
			expect.Value(c.Write(append([]byte(head), b[:len(b)/2]...)))(t)
			return c
		}
		posted()
		posted()
		broken := half()
		time.Sleep(50 * time.Millisecond)
		expect.OK(t, broken.Close())
		posted()

		// The preface, the settings, the head of the call and a part of its message.
		conn := expect.Value(grpc.NewClient(cutting(t, calls, 400), grpc.WithTransportCredentials(insecure.NewCredentials())))(t)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		big := &emptypb.Empty{}
		big.ProtoReflect().SetUnknown(next())
		for len(big.ProtoReflect().GetUnknown()) < 4000 {
			big.ProtoReflect().SetUnknown(append(big.ProtoReflect().GetUnknown(), next()...))
		}
		err := conn.Invoke(ctx, "/opentelemetry.proto.collector.trace.v1.TraceService/Export", big, new(emptypb.Empty))
		if err == nil {
			t.Error("a call whose connection broke off was answered")
		}
		cancel()
		expect.OK(t, conn.Close())
		posted()
		expect.Equal(t, string(f.recorded(len(whole))), string(whole), "what is recorded of whole and half requests")

		traceBy(t, expect.Value(otlptracegrpc.New(context.Background(), otlptracegrpc.WithInsecure(), otlptracegrpc.WithEndpoint(calls)))(t), "plain")
		whole = f.recorded(len(whole) + 1)
		last := half() // is under way at the end
		time.Sleep(50 * time.Millisecond)
		f.end(killed)
		last.Close()
		if !killed {
			f.says("1 broken off")
		}
		f.sameAsIngested("whole requests beside halves of some", whole)
	}
}
