package trace

import "fmt"

// maxDamaged is how many damaged lines of a file are told one by one. A file that
// is no trace has millions, and they all say the same.
const maxDamaged = 1000

// lineDamages are the kinds of damage of one line.
var lineDamages = [...]Damage{DamageTorn, DamageSyntax, DamageUTF8, DamageNoObject, DamageKey}

// untold counts damaged lines that are not told one by one, by the kinds of
// lineDamages.
type untold [len(lineDamages)]untoldLines

type untoldLines struct {
	n     int
	first uint32 // line
}

func (u *untold) add(damage Damage, lines untoldLines) {
	for i, kind := range lineDamages {
		if kind != damage || lines.n == 0 {
			continue
		}
		if u[i].n == 0 {
			u[i].first = lines.first
		}
		u[i].n += lines.n
	}
}

// addDamage adds the line that could not be read.
func (b *batch) addDamage(err *LineError) {
	if len(b.damage) == maxDamaged {
		b.untold.add(err.Damage, untoldLines{1, uint32(b.lines)})
		return
	}
	b.damage = append(b.damage, damaged{place: b.here(), damage: err.Damage, detail: err.Msg})
}

// mergeDamage takes over the damaged lines of a batch.
func (m *merger) mergeDamage(b *batch) {
	for _, d := range b.damage {
		d.place = m.place(d.place)
		if m.told == maxDamaged {
			m.untold.add(d.damage, untoldLines{1, d.line})
			continue
		}
		m.told++
		m.c.damage = append(m.c.damage, d)
	}
	for i, lines := range b.untold {
		lines.first += m.lines
		m.untold.add(lineDamages[i], lines)
	}
}

// tellUntold adds an entry for each kind of damaged line of which there were too
// many, at the first of them.
func (m *merger) tellUntold() {
	before := m.c.tally()
	for i, lines := range m.untold {
		if lines.n == 0 {
			continue
		}
		m.c.untold += lines.n - 1
		m.c.damage = append(m.c.damage, damaged{
			place: place{m.file, lines.first}, damage: lineDamages[i], lines: lines.n,
			detail: fmt.Sprintf("here and in further lines, %d in all", lines.n),
		})
	}
	m.c.tellLive(before)
}
