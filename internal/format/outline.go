package format

// BlankMDX returns the outline of a stored MDX text whose first head bytes are
// front matter: what Read put into Doc.Outline for it, nil for none.
func BlankMDX(text []byte, head int) []byte {
	outline, ok := blankMDX(text, head)
	if !ok {
		return nil
	}
	return outline
}
