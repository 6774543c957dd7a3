package highlight

// MaxBytes is the longest code that is coloured: nobody reads more of it on a
// page, and colours multiply its bytes.
const MaxBytes = 32 << 10
