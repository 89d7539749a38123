// Package builder has prompt builders that declare exactly what they cut.
//
// A [Chain] is made of stages: renderers give a result another form, [OmitBinary]
// replaces what is not text, [Redact] masks secrets, and caps such as [MaxTokens]
// cut what is still too long. Whatever the order in which a chain's stages are
// given, it works in that one: a secret is never cut in two before it is looked
// for, and a cap always has the last word.
//
//	cap := builder.Chain("cap-v4",
//		builder.StripANSI(),
//		builder.Redact(),
//		builder.MaxTokens(8192, bpe.O200kBase(), builder.HeadTail(0.8)))
//	read := em.Wrap(readFile, cap)
//
// A chain is a [clipspan.Builder] for one text as well as for content of several
// parts, whose texts it treats as if they stood one behind the other. It is safe
// for concurrent use, and gives the same injection for the same observation.
package builder
