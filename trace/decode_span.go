package trace

import "github.com/clipspan/clipspan"

// uncheckedKeys are the fields of a span that a checker does not read.
var uncheckedKeys = setOf(keyInjectedPreview, keyModelContextLimitTokens, keySHA256Args, keyTraceID,
	keyOTelSpanID, keyStartedAt, keyEndedAt, keyKeptRanges, keyAddedBytes, keyCapUnit, keyCapValue,
	keyMediaType, keyPartsObserved, keyPartsInjected, keyError)

func (d *decoder) spanField(k key) {
	s := &d.span
	if d.words != nil && uncheckedKeys.has(k) {
		d.scan.Skip()
		return
	}
	switch k {
	case keySpanID:
		s.SpanID = d.spanID()
	case keyParentID:
		s.ParentID = d.ref(&d.facts.parent)
	case keyName:
		s.Name = d.word(k, &d.facts.name)
		d.keys.named = d.keys.named || s.Name != ""
	case keyStatus:
		s.Status = clipspan.Status(d.enum(k))
	case keyObservedBytes:
		s.ObservedBytes = d.count()
	case keyInjectedBytes:
		s.InjectedBytes = d.count()
	case keyInjectedTokens:
		s.InjectedTokens = d.count()
	case keyTokenSource:
		s.TokenSource = clipspan.TokenSource(d.word(k, &d.last[k]))
	case keyClipReason:
		s.ClipReason = clipspan.ClipReason(d.enum(k))
	case keySHA256Observed:
		s.SHA256Observed = d.hash()
	case keySHA256Injected:
		s.SHA256Injected = d.hash()
	case keyInjectedPreview:
		s.InjectedPreview = d.str()
	case keyPromptBuilderVersion:
		s.PromptBuilderVersion = d.word(k, &d.facts.version)
	case keyModelContextLimitTokens:
		s.ModelContextLimitTokens = d.count()
	case keySource:
		s.Source = d.word(k, &d.last[k])
	case keyToolCallID:
		s.ToolCallID = d.ref(&d.facts.call)
	case keySHA256Args:
		s.SHA256Args = d.hash()
	case keyTraceID:
		s.TraceID = d.str()
	case keyOTelSpanID:
		s.OTelSpanID = d.str()
	case keyStartedAt:
		s.StartedAt = d.time()
	case keyEndedAt:
		s.EndedAt = d.time()
	case keyKeptBytes:
		s.KeptBytes = d.count()
	case keyKeptRanges:
		s.KeptRanges = d.ranges()
	case keyAddedBytes:
		s.AddedBytes = d.count()
	case keyNotice:
		s.Notice = d.notice()
	case keyRenderedBytes:
		s.RenderedBytes = d.count()
	case keySHA256Rendered:
		s.SHA256Rendered = d.hash()
	case keyRender:
		s.Render = d.word(k, &d.last[k])
	case keyRenderLossless:
		s.RenderLossless = d.flag()
	case keyStages:
		s.Stages = d.stages()
	case keyCapUnit:
		s.CapUnit = clipspan.CapUnit(d.str())
	case keyCapValue:
		s.CapValue = d.count()
	case keyMediaType:
		s.MediaType = d.str()
	case keyPartsObserved:
		s.PartsObserved = d.count()
	case keyPartsInjected:
		s.PartsInjected = d.count()
	case keyError:
		s.Error = d.str()
	}
}
