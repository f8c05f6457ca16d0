/** An engine that only follows: its matches stay in the queues, where tests read them. */
import { pino } from 'pino'
import { startEngine } from '../../server/src/engine/engine.ts'
import { makeMetrics } from '../../server/src/metrics/index.ts'
import { type RuntimeOptions, startRuntime } from '../../server/src/runtime/index.ts'
import type { EvaluateJob } from '../../server/src/runtime/jobs/job.ts'
import { unpack } from '../../server/src/store/core/packing.ts'
import type { Harness } from './index.ts'
import { lookUntil, patienceMs } from './look-until.ts'

export type QueuedJob = { id: string; name: string; key: string | null; priority: number; data: EvaluateJob }
export type Following = { stop(): Promise<void> }

export async function follow(house: Harness, options: Partial<RuntimeOptions> = {}): Promise<Following> {
  const engine = startEngine({ allowPrivateNetworks: true, sourceTimeoutMs: 2_000 })
  const log = pino({ level: 'warn' }, { write: (line: string) => void house.logs.push(line) })
  const { store } = house.service
  const { meter } = makeMetrics()
  const runtime = await startRuntime(
    { store, engine, networks: [], clock: house.clock.now, log, meter, ...options },
    [],
  )
  return {
    async stop() {
      await runtime.stop()
      await engine.close()
    },
  }
}

export async function queued(house: Harness): Promise<QueuedJob[]> {
  const rows = await query<QueuedJob>(
    house,
    `select id, name, singleton_key as key, priority, data from pgboss.job
      where name in ('evaluate', 'evaluate-ordered') order by created_on, id`,
  )
  return rows.map((row) => ({ ...row, data: unpack(row.data) as EvaluateJob }))
}

export async function query<Row>(house: Harness, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await house.database.query(text, values)).rows as Row[]
}

/** Waits until a value is as expected, and fails with the last value. */
export async function until<T>(look: () => Promise<T>, isWanted: (seen: T) => boolean, ms = patienceMs): Promise<T> {
  const { isSo, seen } = await lookUntil(look, isWanted, ms)
  if (!isSo) throw new Error(`it did not come to pass; last seen: ${JSON.stringify(seen).slice(0, 2000)}`)
  return seen
}
