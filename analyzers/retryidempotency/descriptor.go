package retryidempotency

import "encoding/binary"

// A service method's options stand in the descriptor of its file, which generated code carries as bytes in the wire format of protocol
// buffers. The numbers are those of google/protobuf/descriptor.proto.
const (
	fileService       = 6  // FileDescriptorProto.service
	serviceName       = 1  // ServiceDescriptorProto.name
	serviceMethod     = 2  // ServiceDescriptorProto.method
	methodName        = 1  // MethodDescriptorProto.name
	methodOptions     = 4  // MethodDescriptorProto.options
	idempotencyLevel  = 34 // MethodOptions.idempotency_level
	levelUnknown      = 0
	wireVarint        = 0
	wireFixed64       = 1
	wireBytes         = 2
	wireFixed32       = 5
	maxDescriptorSize = 4 << 20
)

// A serviceMethodName names a method of a service as the descriptor does.
type serviceMethodName struct{ service, method string }

// repeatableMethods lists the methods of a file of which the option idempotency_level says that they have no side effects, or are
// idempotent, in the order of the file. Of a descriptor that can't be read it lists none.
func repeatableMethods(descriptor []byte) []serviceMethodName {
	var list []serviceMethodName
	whole := eachField(descriptor, func(f field) {
		if f.number == fileService {
			list = append(list, repeatableOf(f.bytes)...)
		}
	})
	if !whole {
		return nil
	}
	return list
}

func repeatableOf(service []byte) []serviceMethodName {
	name := ""
	var methods []string
	eachField(service, func(f field) {
		switch f.number {
		case serviceName:
			name = string(f.bytes)
		case serviceMethod:
			if method, repeatable := readMethod(f.bytes); repeatable {
				methods = append(methods, method)
			}
		}
	})
	var list []serviceMethodName
	for _, m := range methods {
		list = append(list, serviceMethodName{name, m})
	}
	return list
}

func readMethod(text []byte) (name string, repeatable bool) {
	eachField(text, func(f field) {
		switch f.number {
		case methodName:
			name = string(f.bytes)
		case methodOptions:
			eachField(f.bytes, func(option field) {
				if option.number == idempotencyLevel {
					repeatable = option.varint != levelUnknown // the last one counts
				}
			})
		}
	})
	return name, repeatable
}

// A field is one of a message: its number, and its value.
type field struct {
	number uint64
	varint uint64
	bytes  []byte
}

// eachField calls f for each field of a message, and reports whether it could be read to its end.
func eachField(message []byte, f func(field)) bool {
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 {
			return false
		}
		message = message[n:]
		one := field{number: tag >> 3}
		size := 0
		switch tag & 7 {
		case wireVarint:
			one.varint, size = binary.Uvarint(message)
		case wireFixed64:
			size = 8
		case wireFixed32:
			size = 4
		case wireBytes:
			length, prefix := binary.Uvarint(message)
			if prefix <= 0 || length > uint64(len(message)-prefix) {
				return false
			}
			size = prefix + int(length)
			one.bytes = message[prefix:size]
		default:
			return false // groups, which descriptors don't use
		}
		if size <= 0 || size > len(message) {
			return false
		}
		f(one)
		message = message[size:]
	}
	return true
}
