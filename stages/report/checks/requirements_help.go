package checks

// RequirementsHelp is the long help of analyze check.
const RequirementsHelp = `Holds runs against a specification of requirements in temporal logic, in the language of TRACE4CPS's .etl files and beyond
(Hendriks et al. 2024, section 4). Names a run or, as key=value, all runs with that label. For example:

  def expose : start {'component'='control', 'function'='expose'}
  check in_time : globally if expose then within 149 ms end {'component'='control', 'function'='expose'}

States are enters (start) and exits (end), in the order of the trace. They have the attributes component, lifeline, function, name
(the function), message, series, id_series, message_id, direction, peer and execution_type. "until A we have that B" is A until B,
where B is the goal; "within" is a bounded finally and "during" a bounded globally, with bounds such as 50 ms or (0, 2] s.
A check may begin with forall (i : 0 ... 9) or forall (c : values of component in start {'function'='f'}). --list says every check as
a sentence. All errors of a file are told at once.

A run may go on. A verdict is GOOD if the check holds however it does, BAD if it cannot hold any more, and else STILL_TRUE or STILL_FALSE
by the run as it is (--semantics four). With three both are NON-INFORMATIVE; finite takes the run as it is: GOOD or BAD.
Of "globally if A then F" a run tells how often A was asked, how often F failed and where, how often the answer is still open, and of F
that is a "within" the margin: the smallest distance of an answer to its bound. A check that was never asked is vacuous.

Signals are wip or throughput of root, message or an attribute ("signal load : wip of root"), throughput of states over a window, and
resource-clients of {'lifeline'='x'}, which counts open executions; averages with "over 10 ms". "globally load <= 10" is judged at every
instant, with its robustness. A formula of signals and states together is asked at states, and the report says how far these are
apart; --states all also asks it at every instant at which a signal breaks or crosses what it is compared with, and once between each
two of them, where no atom holds.

Of several runs a check has one line, that of the run with the worst outcome; JSON, Markdown and JUnit have every run. --explain CHECK
shows of one run what each part of the formula is worth at the first failing state (CHECK#K: the K-th), and which state decided it; for
an answer that came too late, also what it waited for, as analyze critical-path says it.

What comes out is kept in the lake, by the name of the specification: the table checks has a row for each check and value, and
check_failures one for each failing state; analyze query failing-checks asks them. Where neither the run nor the specification has changed
since, they are the answer, and nothing is evaluated again. --intervals also keeps where checks and their definitions hold over time
(check_intervals). --store no leaves the lake as it is.

--over LABEL takes the values of a label as releases in their order (8.9 before 8.14): a matrix of checks by releases, and for each
check with a bound whether the slowest answer of a run, and the time in which 99 % of the answers came, changed from release to
release, by the rules of analyze compare: three runs a release at least. A slowest answer that comes later in three releases
one after the other is told while the bound still holds.

--fail-on names what stops the gate: bad, still_false, vacuous, with --over regressed (in the last release, or release by release),
and a margin below a share of its bound (margin<5%) or a
time (margin<10ms). --report writes further files: FORMAT=FILE with text, json, markdown or junit.

Exit code: 0 passed, 1 failed or a check is undefined, 2 wrong usage or an error in the specification, 3 the gate is stopped.`
