-- The checks that runs do not keep, or never asked, the worst first, with where the first failing state is.
-- param run= the run; all when empty
-- param spec= the specification; all when empty
-- param limit=50 how many
SELECT c.run, c.spec, c.check_name, c.value, c.verdict, c.vacuous, c.triggers, c.failures, c.open, c.margin_ns, c.bound_ns, c.robustness,
    f.component, f.function, c.first_failure_ns
FROM checks c LEFT JOIN check_failures f ON f.run = c.run AND f.spec = c.spec AND f.check_name = c.check_name
    AND f.value IS NOT DISTINCT FROM c.value AND f.seq = c.first_failure_seq
WHERE ($run = '' OR c.run = $run) AND ($spec = '' OR c.spec = $spec) AND (NOT c.finite OR c.verdict IN ('BAD', 'UNDEFINED') OR c.vacuous)
ORDER BY list_position(['UNDEFINED', 'BAD', 'STILL_FALSE', 'NON-INFORMATIVE', 'STILL_TRUE', 'GOOD'], c.verdict), c.run, c.spec, c.check_name, c.value
LIMIT $limit::BIGINT
