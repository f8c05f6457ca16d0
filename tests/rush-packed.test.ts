import { packing } from './harness/deliveries.ts'

/** The tests of a rush, with the deliveries in batches instead of rows. */
packing.isOn = true
await import('./rush.test.ts')
