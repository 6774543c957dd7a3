package bpe

// none marks a part that cannot be joined with the next.
const none = ^uint32(0)

// merge is the memory that joining needs, used again from piece to piece.
type merge struct {
	next, prev []int32  // the neighbours of the part that begins at a byte
	rank       []uint32 // of the part together with the next
	heap       []uint64 // rank<<32 | beginning; may hold what is out of date
}

// count joins neighbours, the lowest rank first and among equals the leftmost,
// and returns how many parts are left. It takes O(n log n) for n bytes.
func (m *merge) count(s string, ranks map[string]uint32) int {
	n := int32(len(s))
	m.begin(n)
	join := func(i int32) {
		m.rank[i] = none
		if middle := m.next[i]; middle < n {
			if rank, ok := ranks[s[i:m.next[middle]]]; ok {
				m.rank[i] = rank
				m.push(uint64(rank)<<32 | uint64(i))
			}
		}
	}
	for i := range n {
		join(i)
	}
	parts := int(n)
	for len(m.heap) > 0 {
		top := m.pop()
		i := int32(top & (1<<32 - 1))
		if m.rank[i] != uint32(top>>32) {
			continue
		}
		gone := m.next[i]
		m.rank[gone] = none
		m.next[i] = m.next[gone]
		if m.next[i] < n {
			m.prev[m.next[i]] = i
		}
		parts--
		join(i)
		if before := m.prev[i]; before >= 0 {
			join(before)
		}
	}
	return parts
}

// begin makes every byte a part.
func (m *merge) begin(n int32) {
	if int(n) > cap(m.next) {
		m.next, m.prev, m.rank = make([]int32, n), make([]int32, n), make([]uint32, n)
	}
	m.next, m.prev, m.rank, m.heap = m.next[:n], m.prev[:n], m.rank[:n], m.heap[:0]
	for i := range n {
		m.next[i], m.prev[i] = i+1, i-1
	}
}

func (m *merge) push(v uint64) {
	m.heap = append(m.heap, v)
	i := len(m.heap) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if m.heap[parent] <= v {
			break
		}
		m.heap[i] = m.heap[parent]
		i = parent
	}
	m.heap[i] = v
}

func (m *merge) pop() uint64 {
	top, last := m.heap[0], m.heap[len(m.heap)-1]
	m.heap = m.heap[:len(m.heap)-1]
	n := len(m.heap)
	if n == 0 {
		return top
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if child+1 < n && m.heap[child+1] < m.heap[child] {
			child++
		}
		if m.heap[child] >= last {
			break
		}
		m.heap[i] = m.heap[child]
		i = child
	}
	m.heap[i] = last
	return top
}
