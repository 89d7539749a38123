package trace

// uncheckedTurnKeys are the fields of a turn that a checker does not read.
var uncheckedTurnKeys = setOf(keyStartedAt, keyEndedAt, keyProvider, keyRequestBytes, keyHTTPStatus,
	keyOutputTokens, keyModelContextLimitTokens, keyTruncation)

func (d *decoder) turnField(k key) {
	t := &d.turn
	if d.words != nil && uncheckedTurnKeys.has(k) {
		d.scan.Skip()
		return
	}
	switch k {
	case keyTurnID:
		t.TurnID = d.str()
	case keyConversation:
		t.Conversation = d.str()
	case keyExtends:
		t.Extends = d.str()
	case keyStartedAt:
		t.StartedAt = d.time()
	case keyEndedAt:
		t.EndedAt = d.time()
	case keyProvider:
		t.Provider = d.str()
	case keyModel:
		t.Model = d.str()
	case keyRequestBytes:
		t.RequestBytes = d.count()
	case keyHTTPStatus:
		t.HTTPStatus = d.count()
	case keyStopReason:
		t.StopReason = d.str()
	case keyError:
		t.Error = d.str()
	case keyInputTokens:
		t.InputTokens = d.count()
	case keyOutputTokens:
		t.OutputTokens = d.count()
	case keyReasoning:
		t.Reasoning = d.flag()
	case keyModelContextLimitTokens:
		t.ModelContextLimitTokens = d.count()
	case keyTruncation:
		t.Truncation = d.str()
	case keyProviderEdits:
		t.ProviderEdits = d.edits()
	case keyDelivered:
		t.Delivered = d.deliveries()
	case keyEvicted:
		t.Evicted = d.strs()
	case keyNotVisible:
		t.NotVisible = d.strs()
	case keyUnread:
		t.Unread = d.str()
	}
}

func (d *decoder) gapField(k key) {
	g := &d.gap
	switch k {
	case keyFromSeq:
		g.FromSeq = d.count()
	case keyToSeq:
		g.ToSeq = d.count()
	case keyCount:
		g.Count = d.count()
	case keyError:
		g.Error = d.str()
	}
}

func (d *decoder) runEndField(k key) {
	e := &d.runEnd
	switch k {
	case keySpans:
		e.Spans = d.count()
	case keyTurns:
		e.Turns = d.count()
	case keyGaps:
		e.Gaps = d.count()
	}
}
