package schema

var occurrencesDoc = TableDoc{
	Name: "occurrences", Doc: "Of a reconciled run: how occurrences of clocks stand to each other.", Grain: "one relation of two occurrences", Partition: "run",
	Columns: []ColumnDoc{
		runPath,
		text("constraint_name", "the constraint of the specification, or messages: a message sent in one unit and received in another").asKey(),
		text("relation", "precedes, causes (before or at once) or coincides").asKey(),
		text("left_clock", "a clock of the specification").asKey(),
		number("left_index", "which of its occurrences, from 1").asKey(),
		number("left_seq", "its event; null: it is no event of a trace").orNull(),
		text("right_clock", "a clock of the specification").asKey(),
		number("right_index", "which of its occurrences, from 1").asKey(),
		number("right_seq", "its event; null: it is no event of a trace").orNull(),
	},
}

var clockBoundsDoc = TableDoc{
	Name: "clock_bounds", Doc: "Of a reconciled run: how the clocks of its units relate. The reference shows t + offset + drift (t - origin) when the unit shows t.",
	Grain: "one pair of units between which something is ordered; and a unit that others are related to, with itself", Partition: "run",
	Columns: []ColumnDoc{
		runPath,
		text("unit", "a unit").asKey(),
		text("reference", "another unit").asKey(),
		number("forth", "relations from an occurrence of the unit to one of the reference"),
		number("back", "relations from an occurrence of the reference to one of the unit"),
		boolean("possible", "an even clock respects all of them"),
		boolean("used", "the times of the unit were set by this row"),
		nanos("origin_ns", "time of the unit's clock at which the offset is meant"),
		nanos("offset_ns", "offset, estimated: in the middle of what is possible"),
		nanos("offset_least_ns", "least possible offset; null: no bound").orNull(),
		nanos("offset_most_ns", "greatest possible offset; null: no bound").orNull(),
		double("drift_ppm", "drift, estimated, in parts per million"),
		double("drift_least_ppm", "least possible drift; null: no bound").orNull(),
		double("drift_most_ppm", "greatest possible drift; null: no bound").orNull(),
		nanos("gap_ns", "room between the bounds at the estimate; negative: they contradict each other by so much; null: one bound only").orNull(),
		number("moved", "events of the unit whose time was corrected beyond offset and drift"),
		nanos("farthest_ns", "the largest of these corrections"),
	},
}
