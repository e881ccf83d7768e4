package definitions

// Help explains the file of definitions to those who write one.
const Help = `FILE of --definitions has one definition a line; what stands behind # is a comment:

  metric answered = enter client.fetch -> exit server.lookup within 5s
  metric turnaround = exit client.fetch -> enter client.fetch per lifeline
  normalisation since-request = since enter client.fetch
  detector careful = (ks or mwu) and abs > 0.1ms
  thresholds lens_*: margin 10%, floor 50us, abs 2ms, p 0.01

A metric is the time from one event to the next one of another kind: enter or exit of COMPONENT.FUNCTION, with "to PEER" or
"from PEER" behind it for a message; * stands for any characters. Of several first events the latest counts, with "in order"
they wait in a queue; "per lifeline" keeps to one lifeline. A normalisation is for --normalisation, a detector for --method:
abs, rel, ks, mwu, shift, dyn, slower, faster; abs and typical compared with a duration; rel, ks.d, ks.p, mwu.p, delta, n compared
with a number; and, or, not, parentheses. Thresholds hold for the components that match, the last line for each; floor and
margin for runs, abs, guard, rel and p for samples. What is defined is part of the result: a changed file compares anew.`
