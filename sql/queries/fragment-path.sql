-- The transitions of a service fragment in the order in which they are taken, with counts and medians.
-- param run=first_run() the run
-- param fragment=busiest_fragment($run) the fragment
SELECT fragment, transition, source, target, label, count, median_since_start_ns, q25_since_previous_ns,
    median_since_previous_ns, q75_since_previous_ns, median_since_call_ns
FROM steps
WHERE run = $run AND fragment = $fragment
ORDER BY median_since_start_ns NULLS LAST, source, transition
