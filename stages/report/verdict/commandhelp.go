package verdict

// CommandHelp is the help of the command that compares: what it does, and where the rest is explained.
const CommandHelp = `Compares every step of every service fragment, every fragment, timing metric, latency of messages, and part of
critical paths of candidate runs with those of baseline runs. It traces what changed to its root causes and says what is
shown to be unchanged. Each side is one run or several; a selector is a run's name, key=value for all runs with that
label, or @name for a stored baseline. Commas mean and (release=2,scenario=upload), repeated flags mean or. Runs that
are not analyzed yet are analyzed first.

A label that varies within the sides and has the same values on both, such as a scenario or a machine, stratifies the
comparison: runs are compared with runs of their own value, in pairs in the order in which they were recorded. A label
that varies otherwise is named in the report, and so are sides recorded one after the other and a trend over time, which
pairs of neighbours in time take out of sides that were recorded in turns. --pool compares all runs with all.

The verdict and its reasons come first; --details prints all else. analyze help verdicts explains the words of a report,
what --fail-on counts, the formats, and the methods; analyze help definitions the file of --definitions.

--by function adds the own time of every function over all fragments: findings say where the time of a step arises, own
times where programs spend it, as a profile does. What waits for another component has no own time. Apart from that stand
all lifetimes of asynchronous work, which are shown without the flag where they changed, and what messages wait in queues.

--rank services answers another question: which service is at fault, request by request; analyze help ranking explains it.

The result is kept in the tables changes, findings, estimates and matches under the comparison's name.

Exit code: 0 fine, 1 failed, 2 wrong usage, 3 found what --fail-on names.`

// RankingHelp explains the ranking of services.
const RankingHelp = `analyze compare --rank services says which service is at fault. The unit is the request (a trace), so that one run a
side suffices; each change is put down to one service and names a request that shows it. Requests are compared with
requests whose root and first call to another service are the same. What an operation takes by itself is its service's,
what a call takes on the way is its callee's, what all calls of a caller share is the caller's, missing calls are their
caller's or the last callee's, errors the deepest execution's. It needs executions only, and keeps nothing.

A side is runs, or the requests of a run that start in a window of UTC: --base shop,13:00..13:10 --cand shop,13:20..13:25,
or shorter compare shop --base 13:00..13:10 --cand 13:20..13:25. Services drift over hours without any fault, as when
tables grow: take as baseline the minutes before the trouble, with other fault-free ones (--base normal), and several
minutes behind its beginning.`
