import type { TriggerStatus } from '@tocsin/contract'
import { sql } from 'kysely'
import type { Base } from '../core/base.ts'

/** The parts of a trigger's definition that describe its outputs, without scripts and ABIs, which can be large. */
export type DescribedTriggerRow = {
  fullname: string
  filters: Record<string, unknown> | null
  outputs: Record<string, unknown> | null
  has_transform: boolean
  type: string | null
  status: TriggerStatus
  /** The chains that it reads. */
  sources: string[]
}

export function describedTriggersTable({ db }: Base) {
  return {
    async find(fullnames: string[]): Promise<Map<string, DescribedTriggerRow>> {
      if (fullnames.length === 0) return new Map()
      const { rows } = await sql<DescribedTriggerRow>`
        select fullname, definition->'filtersSchema' as filters, definition->'outputSchema' as outputs,
          definition->>'transform' is not null as has_transform, definition->'triggerSpec'->>'type' as type, status,
          coalesce((select array_agg(b.source order by b.position) from trigger_bindings b where b.trigger_id = triggers.id),
            array_remove(array[data_source], null)) as sources
        from triggers where fullname = any(${fullnames})`.execute(db)
      return new Map(rows.map((row) => [row.fullname, row]))
    },
  }
}
