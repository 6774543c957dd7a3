// Package faults breaks the real program and looks at what is left: processes
// killed at random moments, disks that fill up, folders that cannot be written,
// sites that go down, writers and readers side by side, and load that goes on.
// It holds tests only; `make faults` runs them with the ones of the packages,
// and docs/reliability.md tells what they came to.
package faults
