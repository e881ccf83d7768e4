package schema

// TableDoc describes a table of the lake.
type TableDoc struct {
	Name      string
	Doc       string // one sentence
	Grain     string // what one row is
	Partition string // the directories below the table: "run", "run, bucket", "comparison" or "baseline"
	Columns   []ColumnDoc
}

// ColumnDoc describes a column as SQL shows it.
type ColumnDoc struct {
	Name     string
	Type     string // SQL type
	Unit     string // "ns", or "" for names, numbers and counts
	Doc      string
	Nullable bool
	Key      bool // part of the primary key
	Path     bool // taken from the directory names; not in the files
}

// Tables lists the tables in reading order.
var Tables = []TableDoc{
	runsDoc, lossesDoc, eventsDoc, messagesDoc, annotationsDoc, executionsDoc, fragmentsDoc, statesDoc, transitionsDoc,
	samplesDoc, metricsDoc, constraintsDoc, violationsDoc, slackDoc, compositionsDoc, summariesDoc, matchesDoc, changesDoc,
	findingsDoc, estimatesDoc,
	historyDoc, changePointsDoc, baselinesDoc,
	variantsDoc, latticeDoc, differencesDoc, entityChangesDoc,
	modelsDoc, modelStatesDoc, modelTransitionsDoc,
	occurrencesDoc, clockBoundsDoc,
}

// Table returns the description of a table and whether it has one.
func Table(name string) (TableDoc, bool) {
	for _, t := range Tables {
		if t.Name == name {
			return t, true
		}
	}
	return TableDoc{}, false
}

func text(name, doc string) ColumnDoc    { return ColumnDoc{Name: name, Type: "VARCHAR", Doc: doc} }
func number(name, doc string) ColumnDoc  { return ColumnDoc{Name: name, Type: "BIGINT", Doc: doc} }
func double(name, doc string) ColumnDoc  { return ColumnDoc{Name: name, Type: "DOUBLE", Doc: doc} }
func boolean(name, doc string) ColumnDoc { return ColumnDoc{Name: name, Type: "BOOLEAN", Doc: doc} }
func nanos(name, doc string) ColumnDoc {
	return ColumnDoc{Name: name, Type: "BIGINT", Unit: "ns", Doc: doc}
}

func (c ColumnDoc) asKey() ColumnDoc  { c.Key = true; return c }
func (c ColumnDoc) orNull() ColumnDoc { c.Nullable = true; return c }
func (c ColumnDoc) inPath() ColumnDoc { c.Path = true; return c }

var (
	runPath        = text("run", "the run").asKey().inPath()
	comparisonPath = text("comparison", "the comparison").asKey().inPath()
	bucketPath     = number("bucket", "group of components that share files; null where the table has no buckets").orNull().inPath()
)

var runsDoc = TableDoc{
	Name: "runs", Doc: "The ingested traces.", Grain: "one run", Partition: "run",
	Columns: []ColumnDoc{
		runPath,
		text("source", "the trace files as they were named"),
		text("format", "format of the trace"),
		text("sha256", "checksum of the bytes as they were given, several files chained"),
		{Name: "labels", Type: "MAP(VARCHAR, VARCHAR)", Doc: "labels given at ingest: release, machine, ..."},
		number("lines", "lines or records read"),
		number("events", "rows in events"),
		number("executions", "rows in executions"),
		number("messages", "rows in messages"),
		number("components", "distinct components"),
		nanos("start_ns", "time of the first event"),
		nanos("duration_ns", "from the first event to the last"),
	},
}

var lossesDoc = TableDoc{
	Name: "losses", Doc: "Records that were dropped, repaired or invented.", Grain: "one reason in one stage of a run", Partition: "run",
	Columns: []ColumnDoc{
		runPath,
		text("stage", "the stage that met them").asKey(),
		text("reason", "name of the reason").asKey(),
		number("count", "how many records"),
		text("first_position", "where it happened first"),
		text("meaning", "the reason in words"),
	},
}

var eventsDoc = TableDoc{
	Name: "events", Doc: "The trace itself.", Grain: "one event", Partition: "run, bucket",
	Columns: []ColumnDoc{
		runPath,
		number("seq", "position in the trace; events invented before its start are negative").asKey(),
		nanos("time_ns", "when it happened"),
		text("component", "where it happened"),
		text("lifeline", "the component, or component/thread where the trace has threads"),
		text("function", "the function that was entered or left"),
		text("kind", "enter, exit, or message for a further message of the event before it"),
		text("message", "label of the message; the series where the trace has no labels").orNull(),
		text("id_series", "part of the message identifier before its number").orNull(),
		number("message_id", "number of the message identifier").orNull(),
		text("direction", "send or receive").orNull(),
		text("peer", "component at the other end of the message; null where it was never traced").orNull(),
		text("execution_type", "type of the execution, where the trace has types").orNull(),
		boolean("synthetic", "invented by a heuristic"),
		bucketPath,
	},
}

var messagesDoc = TableDoc{
	Name: "messages", Doc: "Message exchanges: a send event and the receive event with the same identifier.", Grain: "one exchange", Partition: "run",
	Columns: []ColumnDoc{
		runPath,
		text("id_series", "part of the message identifier before its number").orNull(),
		number("message_id", "number of the message identifier").orNull(),
		text("label", "label of the message").orNull(),
		text("pattern", "trigger, blocking, nonblocking, callback, or blocking_reply, nonblocking_reply, callback_reply; inferred: not in the trace, what starts an execution of a component that waits for a blocking call"),
		number("send_seq", "the event that sent it").asKey(),
		number("receive_seq", "the event that received it").asKey(),
		text("sender", "component that sent it"),
		text("receiver", "component that received it"),
		text("sender_function", "function of the send event"),
		text("receiver_function", "function of the receive event"),
		text("sender_lifeline", "lifeline that sent it"),
		text("receiver_lifeline", "lifeline that received it"),
		nanos("send_ns", "time of the send event"),
		nanos("receive_ns", "time of the receive event"),
		nanos("latency_ns", "receive_ns - send_ns"),
		number("request_seq", "of a reply: the event that sent its request").orNull(),
		nanos("round_trip_ns", "of a reply: from sending the request to receiving the reply").orNull(),
	},
}

var annotationsDoc = TableDoc{
	Name: "annotations", Doc: "What the trace says beyond its events: time bounds, types of dependencies, properties.", Grain: "one statement", Partition: "run",
	Columns: []ColumnDoc{
		runPath,
		number("seq", "the event; null: it holds for the whole trace").orNull().asKey(),
		text("about", "trace, event, segment (the part of the lifeline before the event), message (the one that the event sends), function, executor or host").asKey(),
		text("subject", "of a function, executor or host: its name").orNull().asKey(),
		text("id_series", "of a message: part of its identifier before its number").orNull(),
		number("message_id", "of a message: number of its identifier").orNull(),
		text("name", "what is said: bound_ns, type, scheduled, controls, request, interface, operation, untraced, or the name of a property").asKey(),
		text("value", "the value as text"),
	},
}

var executionsDoc = TableDoc{
	Name: "executions", Doc: "Function executions: an enter event with its exit event.", Grain: "one execution", Partition: "run, bucket",
	Columns: []ColumnDoc{
		runPath,
		number("execution", "seq of the enter event").asKey(),
		text("component", "where it ran"),
		text("lifeline", "the component, or component/thread"),
		text("function", "what ran"),
		number("number", "the i-th execution of the function on the component, from 1, by their starts"),
		nanos("start_ns", "time of the enter event"),
		nanos("finish_ns", "time of the exit event"),
		nanos("duration_ns", "finish_ns - start_ns"),
		nanos("self_ns", "duration_ns less the time in nested executions"),
		number("depth", "0 for a root execution"),
		number("parent", "execution of the caller on the same lifeline; null for a root").orNull(),
		text("fragment", "service fragment in whose occurrence it ran"),
		number("fragment_occurrence", "which occurrence of that fragment, from 0"),
		number("finish_seq", "seq of the exit event"),
		text("role", "blocking_call, request, wait, sync_handler or trigger_handler; null for an internal execution").orNull(),
		text("peer", "component it called or was called by").orNull(),
		text("execution_type", "type, where the trace has types").orNull(),
		boolean("synthetic", "its start or its finish was invented"),
		bucketPath,
	},
}

var fragmentsDoc = TableDoc{
	Name: "fragments", Doc: "Service fragments: the timed automaton of all occurrences of a component's reaction to one event.", Grain: "one fragment of a run", Partition: "run, bucket",
	Columns: []ColumnDoc{
		runPath,
		text("fragment", "stable name, that of its first event: component.function from peer").asKey(),
		text("component", "where it runs"),
		text("function", "function of its first event"),
		text("peer", "component that called it; null where none was traced").orNull(),
		number("occurrences", "how often it ran"),
		number("words", "distinct event sequences"),
		number("events", "events in all occurrences"),
		number("states", "states of its automaton"),
		number("transitions", "transitions of its automaton"),
		bucketPath,
	},
}

var statesDoc = TableDoc{
	Name: "states", Doc: "States of the automata of the service fragments.", Grain: "one state of a fragment", Partition: "run, bucket",
	Columns: []ColumnDoc{
		runPath,
		text("fragment", "the fragment").asKey(),
		number("state", "number within the fragment; 0 is the initial state").asKey(),
		boolean("initial", "where an occurrence begins"),
		boolean("accepting", "where an occurrence may end"),
		bucketPath,
	},
}

var transitionsDoc = TableDoc{
	Name: "transitions", Doc: "Transitions of the automata of the service fragments.", Grain: "one transition of a fragment", Partition: "run, bucket",
	Columns: []ColumnDoc{
		runPath,
		text("fragment", "the fragment").asKey(),
		number("transition", "number within the fragment").asKey(),
		text("component", "where it runs"),
		number("source", "state before"),
		number("target", "state after"),
		text("function", "function of its event"),
		text("kind", "kind of its event: enter, exit or message"),
		text("direction", "send or receive").orNull(),
		text("peer", "component at the other end of the message").orNull(),
		number("count", "how often it was taken"),
		bucketPath,
	},
}

var samplesDoc = TableDoc{
	Name: "samples", Doc: "Time samples of the transitions, in all four normalisations.", Grain: "one time that a transition was taken", Partition: "run, bucket",
	Columns: []ColumnDoc{
		runPath,
		text("fragment", "the fragment").asKey(),
		number("transition", "the transition within the fragment").asKey(),
		number("occurrence", "occurrence of the fragment, from 0").asKey(),
		nanos("time_ns", "absolute: when it was taken").asKey(),
		nanos("since_previous_ns", "relative: since the event before it in the occurrence; null for the first").orNull(),
		nanos("since_call_ns", "stack-based: since the enter event of the same execution; null for enter events").orNull(),
		nanos("since_start_ns", "service-fragment absolute: since the occurrence began"),
		bucketPath,
	},
}

var metricsDoc = TableDoc{
	Name: "metrics", Doc: "Samples of timing metrics.", Grain: "one span of one metric", Partition: "run, bucket",
	Columns: []ColumnDoc{
		runPath,
		text("component", "the component").asKey(),
		text("fragment", "the fragment; null for metrics of a component").orNull().asKey(),
		text("metric", "runtime, downtime, component_up, component_down, blocked, waited, fcn_wait, sync_handling, trigger_handling, event_handling or async_handling").asKey(),
		number("occurrence", "from 0, in time order").asKey(),
		nanos("time_ns", "when the span began"),
		nanos("value_ns", "its length"),
		bucketPath,
	},
}

var constraintsDoc = TableDoc{
	Name: "constraints", Doc: "The timing constraints of the TMSC: the target does not occur earlier than bound_ns after the source.", Grain: "one constraint", Partition: "run, bucket",
	Columns: []ColumnDoc{
		runPath,
		number("target_seq", "the event that waits").asKey(),
		number("source_seq", "the event that it waits for").asKey(),
		text("kind", "component: consecutive events of a lifeline; message: the source sends what the target receives").asKey(),
		text("component", "component of the target"),
		text("function", "component: the innermost execution open in between, null where the lifeline is idle; message: that of the target").orNull(),
		text("sender", "message: the component of the source").orNull(),
		text("message", "message: its label").orNull(),
		nanos("target_ns", "time of the target"),
		nanos("duration_ns", "from source to target"),
		nanos("slack_ns", "duration_ns less the bound; null where no bound is known").orNull(),
		boolean("critical", "the bound is met exactly: a later source would delay the target"),
		bucketPath,
	},
}

var violationsDoc = TableDoc{
	Name: "violations", Doc: "Where the trace breaks the conditions of a TMSC.", Grain: "one way to break a condition, of one function on a lifeline", Partition: "run, bucket",
	Columns: []ColumnDoc{
		runPath,
		number("condition", "condition of Jonk et al. 2019, Definition 3: 1 order, 2 uniqueness, 3 index, 4 pairs, 5 nesting, 6 constraints met"),
		text("name", "how it is broken").asKey(),
		text("component", "where it happened").asKey(),
		text("lifeline", "the component, or component/thread; null where a constraint ends at no event").orNull().asKey(),
		text("function", "function of the event; null where a constraint ends at no event").orNull().asKey(),
		number("count", "how often"),
		number("first_seq", "the event with the lowest sequence number where it happened"),
		nanos("first_ns", "its time; null where a constraint ends at no event").orNull(),
		text("meaning", "how it is broken, in words"),
		bucketPath,
	},
}

var slackDoc = TableDoc{
	Name: "slack", Doc: "How late every event could be, and how early.", Grain: "one event", Partition: "run",
	Columns: []ColumnDoc{
		runPath,
		number("seq", "the event").asKey(),
		nanos("slack_ns", "how much later it could occur without moving the end of any chain of constraints"),
		nanos("urgent_ns", "as soon as possible: the earliest time that the bounds allow"),
	},
}

var compositionsDoc = TableDoc{
	Name: "compositions", Doc: "Where the critical paths of root executions, from their start to their finish, spend their time.", Grain: "one part of the paths of a fragment", Partition: "run",
	Columns: []ColumnDoc{
		runPath,
		text("fragment", "service fragment whose occurrences the paths lead through").asKey(),
		boolean("initial", "no message starts the fragment: it is an end in itself"),
		text("category", "execution, communication, idle, or contention: what a component did while a message for it waited").asKey(),
		text("component", "component that executed, was idle, or received the message").asKey(),
		text("function", "function that executed or received").orNull().asKey(),
		text("sender", "of a message: the component that sent it").orNull().asKey(),
		text("message", "of a message: its label").orNull().asKey(),
		text("busy_component", "of contention: the component for which a message waited").orNull().asKey(),
		number("occurrences", "paths that have this part"),
		number("steps", "constraints on these paths"),
		nanos("total_ns", "time of these paths in this part"),
		nanos("max_ns", "the most in one path"),
	},
}

var matchesDoc = TableDoc{
	Name: "matches", Doc: "Which part of a baseline automaton is which part of the candidate's.", Grain: "one pair, or one part without a counterpart", Partition: "comparison",
	Columns: []ColumnDoc{
		comparisonPath,
		text("fragment", "the fragment; of one that moved: its name in the baseline").asKey(),
		text("cand_fragment", "of a fragment that moved: its name in the candidate").orNull(),
		text("level", "what was matched: fragment or transition").asKey(),
		number("base_transition", "transition in the first run of the baseline that takes it").orNull().asKey(),
		number("cand_transition", "transition in the first run of the candidate that takes it").orNull().asKey(),
		number("base_source", "state before, in the baseline").orNull(),
		number("cand_source", "state before, in the candidate").orNull(),
		number("base_target", "state after, in the baseline").orNull(),
		number("cand_target", "state after, in the candidate").orNull(),
		text("function", "function of the event; of a fragment: of its first event, as the next three"),
		text("kind", "kind of the event"),
		text("direction", "send or receive").orNull(),
		text("peer", "component at the other end of the message").orNull(),
		text("status", "both, base (vanished) or cand (appeared)"),
	},
}

var changesDoc = TableDoc{
	Name: "changes", Doc: "What a comparison of baseline runs with candidate runs says about every subject.", Grain: "one subject in one normalisation", Partition: "comparison",
	Columns: []ColumnDoc{
		comparisonPath,
		text("level", "fragment, transition, metric, or critical_path: a part of the critical paths of an initial fragment, whose samples are its totals, one a run").asKey(),
		text("component", "the component; of a critical path: the one that executed, was idle or received").asKey(),
		text("fragment", "the fragment; null for a metric of a component; of a critical path: the one at whose finish the paths end").orNull().asKey(),
		text("cand_fragment", "of a fragment that moved, and all that belongs to it: its name in the candidate").orNull(),
		text("subject", "readable name of the subject; parts below 0.01 % of the time of a fragment's critical paths on both sides are summed up as 'category ... (n smaller parts)', under the component of the fragment").asKey(),
		text("metric", "name of the metric; of a critical path: the category, as in compositions").orNull(),
		number("transition", "transition in the baseline").orNull().asKey(),
		number("cand_transition", "transition in the candidate").orNull().asKey(),
		text("function", "function of the event; of a critical path: that executed or received").orNull(),
		text("kind", "kind of the event").orNull(),
		text("direction", "send or receive").orNull(),
		text("peer", "component at the other end of the message; of contention: the one for which a message waited").orNull(),
		text("normalisation", "which times were compared: absolute, relative, stack_based or fragment_absolute").orNull().asKey(),
		nanos("position_ns", "of a transition: its median time since the start of the fragment").orNull(),
		number("n_base", "samples of the baseline; of a critical path: occurrences, the paths that have the part"),
		number("n_cand", "the same of the candidate"),
		number("runs_base", "runs of the baseline"),
		number("runs_cand", "runs of the candidate"),
		nanos("total_base_ns", "sum of the baseline's samples"),
		nanos("total_cand_ns", "sum of the candidate's samples"),
		nanos("min_base_ns", "minimum of the baseline; null without samples").orNull(),
		nanos("q25_base_ns", "lower quartile of the baseline").orNull(),
		nanos("median_base_ns", "median of the baseline").orNull(),
		nanos("q75_base_ns", "upper quartile of the baseline").orNull(),
		nanos("max_base_ns", "maximum of the baseline").orNull(),
		nanos("mean_base_ns", "mean of the baseline").orNull(),
		nanos("min_cand_ns", "minimum of the candidate; null without samples").orNull(),
		nanos("q25_cand_ns", "lower quartile of the candidate").orNull(),
		nanos("median_cand_ns", "median of the candidate").orNull(),
		nanos("q75_cand_ns", "upper quartile of the candidate").orNull(),
		nanos("max_cand_ns", "maximum of the candidate").orNull(),
		nanos("mean_cand_ns", "mean of the candidate").orNull(),
		nanos("abs_ns", "total_cand_ns - total_base_ns"),
		double("ratio", "total_cand_ns / total_base_ns").orNull(),
		double("ks_d", "Kolmogorov-Smirnov statistic").orNull(),
		double("ks_p", "its p-value").orNull(),
		double("mwu_u", "Mann-Whitney statistic").orNull(),
		double("mwu_p", "its p-value").orNull(),
		text("shift", "up or down").orNull(),
		nanos("hl_shift_ns", "Hodges-Lehmann estimate of the shift").orNull(),
		double("cliffs_delta", "Cliff's delta, from -1 to 1").orNull(),
		boolean("fired_abs", "the absolute difference says changed"),
		boolean("fired_rel", "the relative difference says changed"),
		boolean("fired_ks", "the Kolmogorov-Smirnov test says changed"),
		boolean("fired_mwu", "the Mann-Whitney test says changed"),
		boolean("fired_shift", "the shift of the quartiles says changed"),
		boolean("fired_dyn", "the dynamic method says changed"),
		text("method", "the method that decided").orNull(),
		boolean("detected", "a change was detected"),
		text("verdict", "of runs compared with runs: regressed, improved, shape_changed, count_changed, later, sooner, unchanged, undetermined or candidate; of a test on samples: slower, faster, changed or unchanged; always: appeared, vanished or moved"),
		text("quantity", "of runs compared with runs: what decided: cost, location, shape, count or arrival").orNull(),
		nanos("effect_ns", "change of the cost per root execution, as the typical run has it").orNull(),
		nanos("effect_lo_ns", "lower end of its 95 % interval").orNull(),
		nanos("effect_hi_ns", "upper end of its 95 % interval").orNull(),
		nanos("cost_base_ns", "cost per root execution of the typical run of the baseline").orNull(),
		nanos("cost_cand_ns", "the same of the candidate").orNull(),
		double("count_base", "how often per root execution, mean of the baseline's runs").orNull(),
		double("count_cand", "the same of the candidate").orNull(),
		double("p", "p of no change beyond the margin, in the quantity that decided").orNull(),
		double("q", "p after two-level Benjamini-Hochberg").orNull(),
		double("equivalence_p", "p of a change of the margin or more").orNull(),
		number("runs_needed", "of an undetermined one: runs a side that would decide").orNull(),
		number("finding", "the finding that it belongs to").orNull(),
		nanos("step_base_ns", "of a transition: the time between the event before it and it, of a baseline run on average").orNull(),
		nanos("step_cand_ns", "the same of a candidate run").orNull(),
		nanos("critical_base_ns", "time of a baseline run, on average, on critical paths of initial fragments in the function that runs in the step, or that starts the fragment; 0: it never lies on one; null for metrics and first events, without initial fragments, and instead of 0 where 1 % of these paths or more is waiting in blocking calls for what the trace does not show").orNull(),
		nanos("critical_cand_ns", "the same of a candidate run").orNull(),
		nanos("impact_ns", "change of the time of the step, 0 where the component waited for another in it; of a critical path: change of the total a run"),
		text("root_cause", "own time, waits for component.function, earlier step, or other steps: right behind a functional change").orNull(),
		number("rank", "1 is the greatest impact; critical paths come after all else"),
	},
}
