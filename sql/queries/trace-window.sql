-- The events of a run between two times.
-- param run=first_run() the run
-- param from:clock= when it begins: 10ms after the run's start, or ns on the clock of the trace; the start when empty
-- param to:clock= when it ends, likewise; the end of the trace when empty
-- param component= the component; all when empty
-- param limit=1000 how many
SELECT seq, time_ns, lifeline, event_label(function, kind, direction, peer) AS event, message, id_series, message_id, synthetic
FROM events
WHERE run = $run AND ($component = '' OR component = $component)
    AND ($from = '' OR time_ns >= nullif($from, '')::BIGINT)
    AND ($to = '' OR time_ns <= nullif($to, '')::BIGINT)
ORDER BY seq
LIMIT $limit::BIGINT
