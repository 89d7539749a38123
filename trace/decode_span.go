package trace

import (
	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/rawjson"
)

// checkedKeys are the fields of a span that a checker reads.
var checkedKeys = headerKeys | setBetween(keySpanID, keySHA256Injected) | setOf(
	keyPromptBuilderVersion, keySource, keyToolCallID, keyTokenSource, keyKeptBytes,
	keyNotice, keyRenderedBytes, keySHA256Rendered, keyRender, keyRenderLossless, keyStages)

// span reads a span, which must be zero.
func (d *decoder) span(s *clipspan.Span) *LineError {
	d.facts = spanFacts{}
	for i, k := range d.keys {
		m := &d.scan.Members[i]
		switch {
		case !keysOf[kindSpan].has(k):
			d.keep(m)
		case m.Kind == rawjson.Null || d.words != nil && !checkedKeys.has(k):
		case k <= keySeq:
			d.header(k, m, &s.Header)
		default:
			if err := d.spanField(k, m, s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *decoder) spanField(k key, m *rawjson.Member, s *clipspan.Span) (err *LineError) {
	switch k {
	case keySpanID:
		s.SpanID = d.id(m, &d.facts.spanID)
	case keyParentID:
		s.ParentID = d.id(m, &d.facts.parentID)
	case keyName:
		s.Name = d.word(m, &d.facts.name)
	case keyStatus:
		s.Status = clipspan.Status(d.enum(m))
	case keyObservedBytes:
		s.ObservedBytes = d.count(m)
	case keyInjectedBytes:
		s.InjectedBytes = d.count(m)
	case keyInjectedTokens:
		s.InjectedTokens = d.count(m)
	case keyTokenSource:
		s.TokenSource = clipspan.TokenSource(d.str(m))
	case keyClipReason:
		s.ClipReason = clipspan.ClipReason(d.enum(m))
	case keySHA256Observed:
		s.SHA256Observed = d.hash(m)
	case keySHA256Injected:
		s.SHA256Injected = d.hash(m)
	case keyInjectedPreview:
		s.InjectedPreview = d.str(m)
	case keyPromptBuilderVersion:
		s.PromptBuilderVersion = d.word(m, &d.facts.version)
	case keyModelContextLimitTokens:
		s.ModelContextLimitTokens = d.count(m)
	case keySource:
		s.Source = d.str(m)
	case keyToolCallID:
		s.ToolCallID = d.id(m, &d.facts.toolCallID)
	case keySHA256Args:
		s.SHA256Args = d.hash(m)
	case keyTraceID:
		s.TraceID = d.str(m)
	case keyOTelSpanID:
		s.OTelSpanID = d.str(m)
	case keyStartedAt:
		s.StartedAt = d.time(m)
	case keyEndedAt:
		s.EndedAt = d.time(m)
	case keyKeptBytes:
		s.KeptBytes = d.count(m)
	case keyKeptRanges:
		s.KeptRanges = d.ranges(m)
	case keyAddedBytes:
		s.AddedBytes = d.count(m)
	case keyNotice:
		s.Notice = d.notice(m)
	case keyRenderedBytes:
		s.RenderedBytes = d.count(m)
	case keySHA256Rendered:
		s.SHA256Rendered = d.hash(m)
	case keyRender:
		s.Render = d.str(m)
	case keyRenderLossless:
		s.RenderLossless = d.flag(m)
	case keyStages:
		s.Stages, err = d.stages(m)
	case keyCapUnit:
		s.CapUnit = clipspan.CapUnit(d.str(m))
	case keyCapValue:
		s.CapValue = d.count(m)
	case keyMediaType:
		s.MediaType = d.str(m)
	case keyPartsObserved:
		s.PartsObserved = d.count(m)
	case keyPartsInjected:
		s.PartsInjected = d.count(m)
	case keyError:
		s.Error = d.str(m)
	}
	return err
}
