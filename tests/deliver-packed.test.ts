import { packing } from './harness/deliveries.ts'

/** The tests of deliveries, with the deliveries in batches instead of rows. */
packing.isOn = true
await import('./deliver.test.ts')
