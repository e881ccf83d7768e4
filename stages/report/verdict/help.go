package verdict

// Help explains the words of a report, what a gate counts, the formats and the methods. A reader of a report looks them up, so it
// explains every verdict.
const Help = `Runs are the unit (--method runs): samples of one run depend on each other, so the times of whole runs are compared.
regressed and improved  changed by more than --margin and --floor (idle time: longer, shorter). At most --fdr of these
                        verdicts are false; three runs are tested at half of it. Four are better, five better still
unchanged               shown to have changed by less
undetermined            too few runs to decide; the report says how many are needed
shape_changed           the median did not change, and a quantile did
count_changed           it happens more or less often
later, sooner           it did not change itself, and is reached later or sooner because of an earlier step
appeared, vanished      only one side has it; moved: it has another name, with the same steps
candidate               it stands out from the noise, but a verdict needs at least three runs per side. The noise is how
                        much runs of one side or --noise differ or, with one run against one, how much all else differs
fails_more, fails_less  another share of the calls of a function ended with an error, in traces that say so: a family of
                        its own, at the rate --fdr; runs in which errors come in bursts are believed less
moved_cost              of findings: another one saves what this one takes, and their caller is unchanged

Gate: --fail-on takes words with commas between. regressed and improved: a root cause, or a fragment, a part of
critical paths or the own time of a step that no root cause explains. changed: these, and whatever appeared,
vanished, moved, or changed in its number, distribution or errors. errors: a function fails_more. undetermined: the run time of a fragment that no
message starts. candidate: there is one. Metrics that --definitions defines count, all others and
messages do not, and candidates fail no other word. With fewer than three runs on a side no times are judged: times_judged is
false in json and junit, unchanged says only that the same calls are made, and a gate on times passes.

Formats: text; json (keys: comparison, base, cand, noise, method, rules, verdict, summary, times_judged, exit, means, findings,
root_executions, verdicts by level, runs_needed, changes, next, strata, doubts, warnings, path_account, account, errors, defined; rows have the columns of the tables findings,
changes and error_shares); junit (a suite for every component: findings that --fail-on names fail; fragments pass, or are skipped
where they are undetermined or follow from a finding); markdown (a comment for a pull request).

Methods on pooled samples (Hilbig 2023, section 3.5), with the report of --method thesis: abs and rel compare the sums
of the samples, ks and mwu are the Kolmogorov-Smirnov and the Mann-Whitney test, shift checks whether all deciles moved
one way, and dyn combines them. They take every sample for an independent one, so they show that two sets of traces
differ; only more runs show how much runs of one release differ. Their results stand in the columns of the table
changes whatever decides.

Steps are paired by the difference of the automata of a fragment (LTSdiff; Hilbig 2023, section 3.3), so that
they are compared behind a functional change, too. A fragment that one side lacks has moved if exactly one fragment of
the other side has the same steps: in another component, for another caller, or under another function's name.
--matching walk pairs steps up to a functional change, and finds nothing that moved.

Critical paths are those of initial fragments, which no message starts; "never" on them means that the own time of a
function delays none of them, "unknown" that the trace does not show what they waited for.`
