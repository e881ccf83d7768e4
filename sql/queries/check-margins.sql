-- How close the answers of each check came to their bounds, run by run, the closest first.
-- param spec= the specification; all when empty
-- param limit=50 how many
SELECT run, spec, check_name, value, verdict, triggers, margin_ns, bound_ns, round(margin_ns / bound_ns, 3) AS share
FROM checks
WHERE ($spec = '' OR spec = $spec) AND margin_ns IS NOT NULL
ORDER BY share NULLS FIRST, run, spec, check_name, value
LIMIT $limit::BIGINT
