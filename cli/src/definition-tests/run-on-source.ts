import type { TriggerSave } from '@tocsin/contract'
import { runBacktest } from '../definition/backtest.ts'
import { backtestBody } from '../definition/definition-body.ts'
import type { Session } from '../server/session.ts'
import type { Seen } from './cases.ts'

const samplesMax = 100

/** Runs a definition of the folder on a block of the server's source. */
export async function runOnSource(session: Session, definition: TriggerSave, block: number): Promise<Seen> {
  const body = { ...backtestBody(definition, undefined), fromBlock: block, toBlock: block, samples: samplesMax }
  const { valid, issues, result } = await runBacktest(session, body, () => undefined)
  if (!valid || !result) return { fired: 0, raws: [], problems: issues.map(issueText) }
  const failed = result.failed > 0 ? [`${result.failed} runs failed: ${result.issues.map(issueText).join('; ')}`] : []
  return { fired: result.fired, raws: result.samples.map(({ raw }) => raw), problems: failed }
}

export function issueText({ path, message }: { path: string; message: string }): string {
  return path === '' ? message : `${path}: ${message}`
}
