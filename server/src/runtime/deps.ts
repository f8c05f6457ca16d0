import type { Engine } from '../engine/engine.ts'
import type { Network } from '../engine/sources/networks.ts'
import type { Meter } from '../metrics/index.ts'
import type { OpenStore } from '../store/index.ts'
import type { Tracing } from '../tracing/index.ts'
import type { LaneWakes } from './jobs/lane-wakes.ts'
import type { Listeners } from './listeners/make-listeners.ts'

export type { Running } from '../engine/base/every.ts'

/** What the loops share. */
export type RuntimeDeps = {
  store: OpenStore
  engine: Engine
  /** The live triggers and their listeners, as of the last refresh. */
  listeners: Listeners
  networks: readonly Network[]
  /** Evaluation wakes the lanes of this process here. */
  laneWakes?: LaneWakes
  clock: () => Date
  /** A monotonic clock in milliseconds, for measuring durations. */
  now: () => number
  log: RuntimeLog
  /** Counts what the loops do. */
  meter: Meter
  /** Traces from the block to the delivery. Absent if the operator named no endpoint for them. */
  tracing?: Tracing | undefined
  /** Called at each named step between a block and its delivery. Tests end the process there. */
  crashPoint: CrashPoint
}

/** As in pino: fields first, then the message. */
export type RuntimeLog = Record<'info' | 'warn' | 'error', (fields: Record<string, unknown>, message: string) => void>

export type CrashPoint = (name: string) => void | Promise<void>
