package clipspan

// Bounded makes a sink that the emitter trusts to bound itself, as JSONLSink does.
func Bounded(s Sink) Sink { return boundedSink{s} }

type boundedSink struct{ Sink }

func (boundedSink) bounded() {}
