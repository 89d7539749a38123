package trace

import (
	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/rawjson"
)

// turn reads a turn, which must be zero.
func (d *decoder) turn(t *clipspan.Turn) *LineError {
	for i, k := range d.keys {
		m := &d.scan.Members[i]
		switch {
		case !keysOf[kindTurn].has(k):
			d.keep(m)
		case m.Kind == rawjson.Null:
		case k <= keySeq:
			d.header(k, m, &t.Header)
		default:
			if err := d.turnField(k, m, t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *decoder) turnField(k key, m *rawjson.Member, t *clipspan.Turn) (err *LineError) {
	switch k {
	case keyTurnID:
		t.TurnID = d.str(m)
	case keyConversation:
		t.Conversation = d.str(m)
	case keyExtends:
		t.Extends = d.str(m)
	case keyStartedAt:
		t.StartedAt = d.time(m)
	case keyEndedAt:
		t.EndedAt = d.time(m)
	case keyProvider:
		t.Provider = d.str(m)
	case keyModel:
		t.Model = d.str(m)
	case keyRequestBytes:
		t.RequestBytes = d.count(m)
	case keyHTTPStatus:
		t.HTTPStatus = d.count(m)
	case keyStopReason:
		t.StopReason = d.str(m)
	case keyError:
		t.Error = d.str(m)
	case keyInputTokens:
		t.InputTokens = d.count(m)
	case keyOutputTokens:
		t.OutputTokens = d.count(m)
	case keyReasoning:
		t.Reasoning = d.flag(m)
	case keyModelContextLimitTokens:
		t.ModelContextLimitTokens = d.count(m)
	case keyTruncation:
		t.Truncation = d.str(m)
	case keyProviderEdits:
		t.ProviderEdits, err = d.edits(m)
	case keyDelivered:
		t.Delivered, err = d.deliveries(m)
	case keyEvicted:
		t.Evicted = d.strs(m)
	case keyNotVisible:
		t.NotVisible = d.strs(m)
	case keyUnread:
		t.Unread = d.str(m)
	}
	return err
}

func (d *decoder) gap(g *clipspan.Gap) {
	for i, k := range d.keys {
		m := &d.scan.Members[i]
		switch {
		case !keysOf[kindGap].has(k):
			d.keep(m)
		case m.Kind == rawjson.Null:
		case k == keyFromSeq:
			g.FromSeq = d.count(m)
		case k == keyToSeq:
			g.ToSeq = d.count(m)
		case k == keyCount:
			g.Count = d.count(m)
		case k == keyError:
			g.Error = d.str(m)
		default:
			d.header(k, m, &g.Header)
		}
	}
}

func (d *decoder) runEnd(e *clipspan.RunEnd) {
	for i, k := range d.keys {
		m := &d.scan.Members[i]
		switch {
		case !keysOf[kindRunEnd].has(k):
			d.keep(m)
		case m.Kind == rawjson.Null:
		case k == keySpans:
			e.Spans = d.count(m)
		case k == keyTurns:
			e.Turns = d.count(m)
		case k == keyGaps:
			e.Gaps = d.count(m)
		default:
			d.header(k, m, &e.Header)
		}
	}
}
