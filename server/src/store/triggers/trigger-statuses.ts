import type { TriggerStatus } from '@tocsin/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Base, json } from '../core/base.ts'

/** What running says about a trigger. A dependency that is gone outranks it, and an edit or a test replaces it. */
export const runtimeError = 'trigger.runtime_error'
export const underPressure = 'trigger.pressure'

export function triggerStatusesTable({ db }: Base) {
  const set = async (id: string, status: Omit<TriggerStatus, 'updatedAt'>, at: Date, where: RawBuilder<unknown>) => {
    const written = { ...status, updatedAt: at.toISOString() }
    await sql`update triggers set status = ${json(written)}::json, version = version + 1
      where id = ${id} and ${where}`.execute(db)
  }
  /** It has run, so it is ready, unless its own definition says otherwise. */
  const recover = async (id: string, from: string, at: Date) => {
    await sql`update triggers set status = coalesce(definition_warning, ${json(readySince(at))}::json), version = version + 1
      where id = ${id} and status->>'source' = 'runtime' and status->>'reasonCode' = ${from}`.execute(db)
  }
  return {
    async break(id: string, issue: string, at: Date): Promise<void> {
      const status = { status: 'broken' as const, issue, reasonCode: runtimeError, source: 'runtime' as const }
      await set(id, status, at, sql`status->>'status' <> 'broken'`)
    },
    /** A run succeeded: the trigger is no longer broken by its runs. */
    async mend(id: string, at: Date): Promise<void> {
      await recover(id, runtimeError, at)
    },
    /**
     * A run of this version succeeded, which is as good as a test. The version stays: this happens soon after every
     * save, and a client that saves again with the tag of its last save must not be refused for it.
     */
    async prove(id: string, version: number, at: Date): Promise<void> {
      await sql`update triggers set status = ${json(readySince(at))}::json
        where id = ${id} and version = ${version} and status->>'status' = 'not_tested'`.execute(db)
    },
    async press(id: string, level: 'warning' | 'limited' | 'blocked', issue: string, at: Date): Promise<void> {
      const status = { status: level, issue, reasonCode: underPressure, source: 'runtime' as const }
      await set(id, status, at, sql`status->>'status' <> 'broken'`)
    },
    async relieve(id: string, at: Date): Promise<void> {
      await recover(id, underPressure, at)
    },
  }
}

function readySince(at: Date): TriggerStatus {
  return { status: 'ready', source: 'runtime', updatedAt: at.toISOString() }
}
