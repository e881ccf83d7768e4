-- The ingested runs with their labels and sizes.
SELECT run, format, labels, events, executions, messages, components, start_ns, duration_ns, source
FROM runs
ORDER BY run
