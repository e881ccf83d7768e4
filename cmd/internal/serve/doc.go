// Package serve is the command analyze serve: pages of a lake for a browser on this machine.
//
//	serve.go       the command: flags, listener, the address that it prints, the end
//	guard.go       who is answered: token and cookie, Host, Origin, links on other sites, GET alone, the policy of every answer
//	routes.go      which address is answered by what, and how answers and errors are written
//	lake.go        what there is in the lake: runs, comparisons, baselines, tables, named queries
//	comparison.go  a comparison: its findings and changes
//	levels.go      how the behaviour of model sets differs, on six levels
//	queries.go     named queries, and with --sql those that readers write
//	timeline.go    lanes, messages and executions of a run
//	window.go      what is to be drawn of a window: boxes, by lifelines or by groups, with values
//	paths.go       critical paths of a run: of one execution, and of all occurrences of a function
//	claims.go      claims of a run: which items were treated alike, how the order differs from another run's, how long claims take
//	checks.go      what a run says of specifications, and where it breaks them
//	live.go        a run while it is recorded, and stored ones in the same way: frames of hotness, as a stream or one by one; livepages.go: for
//	               several pages at once; livebaseline.go: beside a stored run; livemodel.go: with the
//	               connections of a component model
//	history.go     histories of releases, clocks of reconciled runs
//	signals.go     signals of a run: what a window shows of them, and how long each has which value
//
// The server reads manifests and Parquet and writes nothing. Every request looks at the lake as it is then, so that what another
// process commits shows without a restart. No part of an address is ever a part of a path: names of runs and comparisons are looked up
// among the inventories of the lake, and files are those that manifests name.
package serve
