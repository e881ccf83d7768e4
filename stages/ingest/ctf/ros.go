package ctf

import (
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// object is what an event of ros2_tracing introduces. What a program calls back is known by an address only; who it belongs
// to is told link by link while the program starts:
//
//	callback  <-  subscription  <-  handle of the subscription  ->  node, topic
//	callback  <-  handle of the service                         ->  node, name of the service
//	callback  <-  handle of the timer                           ->  node
type object uint8

const (
	rosNode          object = iota + 1
	rosTopicReader          // a subscription with its node and topic
	rosSubscription         // an object of the program over the subscription
	rosService              // with its node and name
	rosTimer                // with its period
	rosTimerNode            // the node of a timer
	rosCallback             // what is called for one of these
	rosTimerCallback        // the same of a timer
	rosSymbol               // the name of the function that is called
	rosWriter               // what publishes to a topic of the transport
	rosPublisher            // what publishes to a topic, and its handle of the transport
)

// writesTold are the events that tell when the transport writes a message and to which topic, the transport's own first.
const (
	writesOfTransport = "dds:write"
	writesTold        = writesOfTransport + " ros2:rmw_publish"
	takesTold         = "ros2:rmw_take" // and when it is asked for a message
)

// rosMeanings are those of the events of ros2_tracing, of the transport below, and of CARET, which records ROS 2 from outside. What a trace
// tells twice is taken once. Of a message, CARET knows the address until the transport gives it a time.
var rosMeanings = map[string]meaning{
	"ros2:callback_start": {role: roleCallback, fields: []fieldWanted{need(regObject, "callback")}},
	"ros2:callback_end":   {role: roleCallbackEnd, fields: []fieldWanted{need(regObject, "callback")}},
	writesOfTransport:     {role: rolePublish, fields: []fieldWanted{need(regNumber, "timestamp"), want(regObject, "writer")}},
	takesTold: {role: roleTake, fields: []fieldWanted{
		need(regNumber, "source_timestamp"), want(regObject, "rmw_subscription_handle"), want(regOther, "taken"),
	}},
	"ros2:rmw_publish": {role: rolePublish, unless: writesOfTransport, fields: []fieldWanted{
		need(regNumber, "timestamp"), want(regObject, "rmw_publisher_handle"),
	}},
	"ros2_caret:dds_bind_addr_to_stamp": {role: rolePublish, unless: writesTold, fields: []fieldWanted{
		need(regNumber, "source_stamp"), need(regOwner, "addr"),
	}},
	"ros2:rcl_publish": {role: roleHandOver, unless: writesTold, fields: []fieldWanted{
		need(regObject, "publisher_handle"), need(regOwner, "message"),
	}},
	"ros2:rcl_publisher_init": {role: roleObject, object: rosPublisher, unless: writesOfTransport, fields: []fieldWanted{
		need(regObject, "publisher_handle"), want(regParent, "rmw_publisher_handle"), need(regPath, "topic_name"),
	}},
	"ros2:dispatch_subscription_callback": {role: roleTake, object: rosCallback, unless: takesTold, fields: []fieldWanted{
		need(regNumber, "source_timestamp source_stamp"), need(regObject, "callback"),
	}},
	"ros2:rcl_node_init": {role: roleObject, object: rosNode, fields: []fieldWanted{
		need(regObject, "node_handle"), need(regPath, "node_name"), want(regPreviousName, "namespace"),
	}},
	"ros2:rcl_subscription_init": {role: roleObject, object: rosTopicReader, fields: []fieldWanted{
		need(regObject, "subscription_handle"), need(regOwner, "node_handle"), want(regParent, "rmw_subscription_handle"), need(regPath, "topic_name"),
	}},
	"ros2:rclcpp_subscription_init": {role: roleObject, object: rosSubscription, fields: []fieldWanted{
		need(regObject, "subscription"), need(regOwner, "subscription_handle"),
	}},
	"ros2:rclcpp_subscription_callback_added": {role: roleObject, object: rosCallback, fields: []fieldWanted{
		need(regObject, "callback"), need(regOwner, "subscription"),
	}},
	"ros2:rcl_service_init": {role: roleObject, object: rosService, fields: []fieldWanted{
		need(regObject, "service_handle"), need(regOwner, "node_handle"), need(regPath, "service_name"),
	}},
	"ros2:rclcpp_service_callback_added": {role: roleObject, object: rosCallback, fields: []fieldWanted{
		need(regObject, "callback"), need(regOwner, "service_handle"),
	}},
	"ros2:rcl_timer_init": {role: roleObject, object: rosTimer, fields: []fieldWanted{need(regObject, "timer_handle")}},
	"ros2:rclcpp_timer_link_node": {role: roleObject, object: rosTimerNode, fields: []fieldWanted{
		need(regObject, "timer_handle"), need(regOwner, "node_handle"),
	}},
	"ros2:rclcpp_timer_callback_added": {role: roleObject, object: rosTimerCallback, fields: []fieldWanted{
		need(regObject, "callback"), need(regOwner, "timer_handle"),
	}},
	"ros2:rclcpp_callback_register": {role: roleObject, object: rosSymbol, fields: []fieldWanted{
		need(regObject, "callback"), need(regPath, "symbol"),
	}},
	"dds:create_writer": {role: roleObject, object: rosWriter, fields: []fieldWanted{need(regObject, "writer"), need(regPath, "topic_name")}},
}

// rosKey is the address of an object in a process.
type rosKey struct {
	process *processes.Process
	object  uint64
}

// rosEntry is what is known of an object.
type rosEntry struct {
	name  string // of a node, with its name space; of a topic or service; of a function
	owner uint64 // the object that it belongs to, 0: not told
	timer bool
}

// ros2 is what a trace has told of the objects of its ROS 2 programs, and the executions that callbacks are.
type ros2 struct {
	objects   map[rosKey]rosEntry
	symbols   map[rosKey]string // of callbacks
	readers   map[rosKey]uint64 // by the handle of the transport: that of the subscription
	callbacks map[rosKey]uint64 // the number of the execution, from the first call on
	takes     map[rosKey]uint64 // of what stands for a take outside of callbacks, by the handle of the transport
	timers    map[string]int    // by the full name of a node: its timers that have names
	handed    map[int32]handed  // by thread: what it handed over to the transport last
	messages  published
}

// handed is a message that is handed over to the transport.
type handed struct {
	message uint64 // its address
	topic   string
}

func newROS2() ros2 {
	return ros2{
		objects: make(map[rosKey]rosEntry), symbols: make(map[rosKey]string), readers: make(map[rosKey]uint64),
		callbacks: make(map[rosKey]uint64), takes: make(map[rosKey]uint64), timers: make(map[string]int), handed: make(map[int32]handed),
	}
}

// keyOfObject is the object of the event in hand.
func (r *reader) keyOfObject(s *stream) rosKey { return rosKey{r.process(s), s.regs[regObject]} }

// introduce notes what an event tells of an object. An address that is used again is a new object.
func (r *reader) introduce(s *stream) {
	k := r.keyOfObject(s)
	e := rosEntry{}
	if s.event.has[regOwner] {
		e.owner = s.regs[regOwner]
	}
	if s.event.has[regPath] {
		e.name = s.text(regPath)
	}
	switch s.event.object {
	case rosSymbol:
		r.ros.symbols[k] = e.name
		return
	case rosTimer, rosTimerNode:
		e.timer = true
	case rosPublisher:
		if s.event.has[regParent] {
			r.ros.objects[rosKey{k.process, s.regs[regParent]}] = e
		}
	case rosTopicReader:
		if s.event.has[regParent] {
			transport := rosKey{k.process, s.regs[regParent]}
			r.ros.readers[transport] = k.object
			delete(r.ros.takes, transport)
		}
	case rosNode:
		if s.event.has[regPreviousName] {
			if space := strings.Trim(s.text(regPreviousName), "/"); space != "" {
				e.name = space + "/" + e.name
			}
		}
	case rosCallback, rosTimerCallback:
		delete(r.ros.callbacks, k)
	}
	r.ros.objects[k] = e
}

// callback returns the execution that a callback is: NODE/TOPIC, NODE/SERVICE or NODE/timer. One whose node the trace does not
// tell, since it began later, is named after its function.
func (r *reader) callback(s *stream) processes.Call {
	k := r.keyOfObject(s)
	n, known := r.ros.callbacks[k]
	if !known {
		n = r.names.AddNamed(r.ros.nameCallback(k))
		r.ros.callbacks[k] = n
	}
	return processes.Call{Address: n, Named: true}
}

// nameCallback follows the links from a callback to its node.
func (o *ros2) nameCallback(k rosKey) processes.Execution {
	of := func(object uint64) (rosEntry, bool) {
		e, known := o.objects[rosKey{k.process, object}]
		return e, known
	}
	e, _ := of(k.object)
	for range 3 { // subscription, its handle, its node
		owner, known := of(e.owner)
		switch {
		case e.owner == 0 || !known:
			return o.symbolOf(k)
		case owner.owner != 0:
			if node, known := of(owner.owner); known && node.owner == 0 && node.name != "" {
				return processes.Execution{Component: node.name, Function: o.nameWithin(node.name, owner)}
			}
		}
		e = owner
	}
	return o.symbolOf(k)
}

// nameWithin is the name of what a node calls back for. Further timers of a node are numbered in the order of their first calls.
func (o *ros2) nameWithin(node string, of rosEntry) string {
	if !of.timer {
		return node + "/" + strings.TrimPrefix(of.name, "/")
	}
	o.timers[node]++
	if n := o.timers[node]; n > 1 {
		return fmt.Sprintf("%s/timer#%d", node, n)
	}
	return node + "/timer"
}

// symbolOf names a callback after its function.
func (o *ros2) symbolOf(k rosKey) processes.Execution {
	if symbol := o.symbols[k]; symbol != "" {
		return processes.Execution{Function: symbol}
	}
	return processes.Execution{Component: "ros2", Function: "callback"}
}

// handOver notes the topic of a message that the transport writes next.
func (r *reader) handOver(s *stream) {
	r.ros.handed[r.thread(s)] = handed{s.regs[regOwner], r.ros.objects[r.keyOfObject(s)].name}
}

// topicWritten returns the topic of the message that the transport writes: that of its writer, or of the message that was handed over. What
// the transport writes for itself has none.
func (r *reader) topicWritten(s *stream) string {
	if !s.event.has[regOwner] {
		return r.ros.objects[r.keyOfObject(s)].name
	}
	if of := r.ros.handed[r.thread(s)]; of.message == s.regs[regOwner] {
		return of.topic
	}
	return ""
}

// topicTaken returns the topic and the node of a subscription, by its handle of the transport, or by what it calls back.
func (o *ros2) topicTaken(by rosKey, is object) (topic, node string) {
	handle := o.readers[by]
	if is == rosCallback {
		subscription := o.objects[rosKey{by.process, o.objects[by].owner}]
		handle = subscription.owner
	}
	e := o.objects[rosKey{by.process, handle}]
	return e.name, o.objects[rosKey{by.process, e.owner}].name
}
