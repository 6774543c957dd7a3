package report

// Peer is what stands beside us, as it was run.
type Peer struct {
	Name    string // as the tables name it; several names of one peer in one string
	Version string
	Options string // that differ from its defaults; "defaults" when none does
	Why     string // these options
}

// Peers appends a table of who stands in the tables that follow.
func (r *Report) Peers(all ...Peer) {
	t := Table{Heading: "Peers", Columns: []string{"peer", "version", "options", "why"}}
	for _, p := range all {
		t.Add(p.Name, p.Version, p.Options, p.Why)
	}
	r.Table(t)
}
