import { TriggerSave } from '@tocsin/contract'
import { type BacktestResult, runBacktest } from '../definition/backtest.ts'
import { backtestBody } from '../definition/definition-body.ts'
import type { LocalEntity } from '../folder/read-folder.ts'
import type { Session } from '../server/session.ts'
import { withBlockProgress } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Plan } from './plan.ts'

/** How often a trigger fired in the same blocks before the change and after it. Null if it cannot be known. */
export type Comparison = {
  fullname: string
  fromBlock?: number
  toBlock?: number
  before: number | null
  after: number | null
  issues: string[]
}

/** Runs every trigger that the plan creates or updates over the last blocks of its source. */
export async function backtestPlan(
  terminal: Terminal,
  session: Session,
  plan: Plan,
  entities: readonly LocalEntity[],
  lastBlocks: number,
): Promise<Comparison[]> {
  const changed = plan.changes.filter(
    ({ kind, action }) => kind === 'trigger' && (action === 'create' || action === 'update'),
  )
  const comparisons: Comparison[] = []
  for (const { fullname, action } of changed) {
    const entity = entities.find(({ kind, name }) => kind === 'trigger' && name === fullname)
    const definition = TriggerSave.parse(entity?.payload)
    const after = await withBlockProgress(terminal, fullname, (onProgress) =>
      runBacktest(session, { ...backtestBody(definition, undefined), lastBlocks, samples: 0 }, onProgress),
    )
    const { fromBlock, toBlock } = after
    const isComparable = action === 'update' && fromBlock !== undefined && toBlock !== undefined
    const before = isComparable
      ? await withBlockProgress(terminal, `${fullname} (before)`, (onProgress) =>
          runBacktest(session, { fullname, fromBlock, toBlock, samples: 0 }, onProgress),
        )
      : undefined
    comparisons.push({
      fullname,
      ...(fromBlock !== undefined && { fromBlock, toBlock }),
      before: firedOf(before),
      after: firedOf(after),
      issues: issuesOf(after),
    })
  }
  return comparisons
}

function firedOf(result: BacktestResult | undefined): number | null {
  return result?.valid ? (result.result?.fired ?? null) : null
}

function issuesOf({ issues, result }: BacktestResult): string[] {
  return [...issues, ...(result?.issues ?? [])].map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  )
}

export function comparisonText({ fullname, fromBlock, toBlock, before, after, issues }: Comparison): string {
  const change = before === null ? `fires ${after ?? '?'} times` : `fires ${before} → ${after ?? '?'} times`
  const where = fromBlock === undefined ? 'not known' : `${change} in blocks ${fromBlock} to ${toBlock}`
  return [`  ${fullname}: ${where}`, ...issues.map((issue) => `    ${issue}`)].join('\n')
}
