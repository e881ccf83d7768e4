package chrome

// laneKeys are the keys of a lane by site and kind. Most lanes have a begin and an end, and there may be a lane for each call.
type laneKeys struct {
	few  []laneKey
	many map[uint32]uint32 // of lanes that have more than fewKeys
}

type laneKey struct{ which, key uint32 }

// fewKeys are found faster one by one.
const fewKeys = 8

func (k *laneKeys) find(which uint32) (key uint32, known bool) {
	for i := range k.few {
		if k.few[i].which == which {
			return k.few[i].key, true
		}
	}
	key, known = k.many[which]
	return key, known
}

func (k *laneKeys) add(which, key uint32) {
	if len(k.few) < fewKeys {
		k.few = append(k.few, laneKey{which, key})
		return
	}
	if k.many == nil {
		k.many = make(map[uint32]uint32)
	}
	k.many[which] = key
}
