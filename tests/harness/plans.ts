import pg from 'pg'
import { vi } from 'vitest'

export type Statement = { text: string; values: unknown[] }

export type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** Sees the statements of this process. The pool keeps the function of each connection, so call it before the first connection. */
export function watchStatements() {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  return {
    async during(work: () => Promise<unknown>): Promise<Statement[]> {
      query.mockClear()
      await work()
      return query.mock.calls.flatMap(([first]: unknown[]) => (isStatement(first) ? first : []))
    },
    restore: () => query.mockRestore(),
  }
}

/** Runs a statement and gives the parts of its plan that read these tables. PostgreSQL plans for its values, or once for all values. */
export async function readsOf(
  database: pg.ClientBase,
  { text, values }: Statement,
  tables: readonly string[],
  mode: 'force_custom_plan' | 'force_generic_plan',
): Promise<Plan[]> {
  await database.query(`prepare watched as ${text}`)
  await database.query(`set plan_cache_mode = ${mode}`)
  const { rows } = await database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, timing off, format json) execute watched${argumentsOf(values)}`,
  )
  await database.query('deallocate watched')
  return nodesOf(rows[0]?.['QUERY PLAN'][0].Plan).filter((node) => tables.includes(node['Relation Name'] ?? ''))
}

export function rowsReadBy(reads: readonly Plan[]): number {
  const rowsOf = (node: Plan) => {
    const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    return (node['Actual Rows'] + removed) * node['Actual Loops']
  }
  return reads.reduce((sum, node) => sum + rowsOf(node), 0)
}

function isStatement(sent: unknown): sent is Statement {
  return typeof sent === 'object' && sent !== null && 'text' in sent && 'values' in sent
}

function argumentsOf(values: readonly unknown[]): string {
  const literals = values.map((value) => {
    if (Array.isArray(value)) return pg.escapeLiteral(`{${value.join(',')}}`)
    if (value === null) return 'null'
    if (Buffer.isBuffer(value)) return pg.escapeLiteral(`\\x${value.toString('hex')}`)
    return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
  })
  return literals.length === 0 ? '' : `(${literals.join(', ')})`
}

function nodesOf(plan: Plan | undefined): Plan[] {
  return plan ? [plan, ...(plan.Plans ?? []).flatMap(nodesOf)] : []
}
