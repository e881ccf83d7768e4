package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	_ "google.golang.org/grpc/encoding/gzip" // is among what SDKs compress by
	"google.golang.org/grpc/status"
)

// message is a message of protobuf as it is sent.
type message struct{ bytes []byte }

// asSent is a codec that leaves messages as they are: the trace gets the bytes that came.
type asSent struct{}

func (asSent) Name() string { return "proto" }

func (asSent) Marshal(v any) ([]byte, error) {
	m, is := v.(*message)
	if !is {
		return nil, fmt.Errorf("a %T is no message", v)
	}
	return m.bytes, nil
}

func (asSent) Unmarshal(sent []byte, v any) error {
	m, is := v.(*message)
	if !is {
		return fmt.Errorf("a %T is no message", v)
	}
	m.bytes = bytes.Clone(sent) // gRPC uses its buffer again
	return nil
}

// serveCalls takes traces over gRPC.
func (s *OTLP) serveCalls(l net.Listener) {
	s.calls = grpc.NewServer(
		grpc.ForceServerCodec(asSent{}), grpc.MaxRecvMsgSize(mostBody), grpc.MaxHeaderListSize(mostHeaders), grpc.MaxConcurrentStreams(mostPrograms),
		grpc.UnknownServiceHandler(func(any, grpc.ServerStream) error {
			return s.refused.status(&refusal{http.StatusNotFound, "not an export of traces"})
		}),
	)
	s.calls.RegisterService(&grpc.ServiceDesc{
		ServiceName: "opentelemetry.proto.collector.trace.v1.TraceService", HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{MethodName: "Export", Handler: s.export}},
	}, s)
	s.group.Go(func() error { return s.calls.Serve(l) })
}

// export takes a request over gRPC, and answers when the recording has it. The answer has no field.
func (s *OTLP) export(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	m := new(message)
	if err := decode(m); err != nil { // too long, or broken
		s.refused.add("that could not be read")
		return nil, err
	}
	err := s.inPlace(func() error {
		err := s.message(m.bytes)
		if err == nil {
			err = s.encoded(protobufType, m.bytes)
		}
		if err == nil {
			err = s.record(ctx, m.bytes)
		}
		return err
	})
	if err != nil {
		return nil, s.refused.status(err)
	}
	return new(message), nil
}

// status counts why a request is refused, and answers with it.
func (r *refusals) status(err error) error {
	why := &refusal{http.StatusBadRequest, "broken off"}
	errors.As(err, &why)
	r.add(why.reason)
	code := codes.InvalidArgument
	switch why.code {
	case http.StatusServiceUnavailable:
		code = codes.Unavailable // it is sent again
	case http.StatusNotFound:
		code = codes.Unimplemented
	}
	return status.Error(code, why.reason)
}
