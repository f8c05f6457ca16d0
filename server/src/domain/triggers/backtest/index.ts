/** Backtests: how often and when a definition would have fired over past blocks. Nothing is sent; of a job, its result is kept. */

import { type BacktestJob, backtestBlocksAtOnce, TriggerBacktestResult } from '@tocsin/contract'
import type * as z from 'zod'
import { type BacktestRow, backtestLostMs } from '../../../store/triggers/backtests.ts'
import { Events } from '../../answers.ts'
import type { Context, Handler } from '../../handler.ts'
import { notFound } from '../../refusal.ts'
import { readTriedBinding } from '../../try-out-binding.ts'
import { requireReadableSources } from '../sources.ts'
import { limited } from '../try-outs/handlers.ts'
import { makePatience, requireRoom } from './patience.ts'
import { pushedEvents } from './pushed-events.ts'
import { planBacktest, type Report, runBacktest } from './run.ts'
import { type Candidates, findCandidates } from './tally.ts'

type BacktestContext = Context<'backtestTrigger'>

/** Access is checked before the first event. The work counts as one test of the account. */
export const backtestTrigger: Handler<'backtestTrigger'> = async (context) => {
  const found = await findAllowed(context)
  const { body } = context
  const isPlanned = body.estimate === true || blocksOf(body) > backtestBlocksAtOnce
  const work = (report: Report, signal: AbortSignal) =>
    isPlanned ? plan(context, found) : runBacktest(context, found, { ...atOnce, report, signal })
  return new Events(
    (signal) => pushedEvents((report: Report) => limited(context, found.scope, () => work(report, signal))),
    found.scope.memberOf,
  )
}

const atOnce = { slice: <T>(work: () => Promise<T>) => work(), sliceMs: Number.POSITIVE_INFINITY }

async function findAllowed(context: BacktestContext): Promise<Candidates> {
  const found = await findCandidates(context)
  for (const { definition } of found.candidates) {
    const { triggerSpec } = await readTriedBinding(context, { ...definition, binding: context.body.binding })
    await requireReadableSources(context, { ...definition, triggerSpec: triggerSpec ?? null })
  }
  return found
}

function blocksOf({ fromBlock = 0, toBlock = 0, lastBlocks }: BacktestContext['body']): number {
  return lastBlocks ?? toBlock - fromBlock + 1
}

/** Says what it costs. Unless only that was asked for, it begins the job. */
async function plan(context: BacktestContext, found: Candidates) {
  const planned = await planBacktest(context, found)
  if (context.body.estimate === true || !('estimate' in planned)) return planned
  return { ...planned, job: await beginJob(context, found, planned) }
}

/** The rights of the account are checked again in each slice, because the job may run for long. */
async function beginJob(
  context: BacktestContext,
  found: Candidates,
  { fromBlock, toBlock }: { fromBlock: number; toBlock: number },
): Promise<string> {
  const { account, access, backtests, store, now } = context
  await requireRoom(store, account.id, now)
  const body = { ...context.body, fromBlock, toBlock, lastBlocks: undefined }
  const workspaceId = found.scope.memberOf ?? access.workspace?.id ?? null
  return backtests.start({ accountId: account.id, workspaceId, fromBlock, toBlock }, ({ signal, report }) => {
    const isAllowed = async () => void (await findAllowed(context))
    const pace = makePatience(context, found.scope, { signal, isAllowed })
    return runBacktest({ ...context, body }, found, { ...pace, signal, report })
  })
}

export const getBacktest: Handler<'getBacktest'> = async ({ account, params, store, now }) => {
  const row = await store.backtests.find(params.id, account.id)
  if (!row) throw notFound('There is no such backtest of yours. They are kept for a day.')
  return jobView(row, now)
}

export const stopBacktest: Handler<'stopBacktest'> = async (context) => {
  const { account, params, store } = context
  await getBacktest(context)
  await store.backtests.askToStop(params.id, account.id)
  return getBacktest(context)
}

const lost = 'The process that ran this backtest ended, for example because the service was restarted. Begin it again.'

/** A job whose process is gone has failed. */
function jobView(row: BacktestRow, now: Date): z.input<typeof BacktestJob> {
  const isOpen = row.state === 'queued' || row.state === 'running'
  const isLost = isOpen && now.getTime() - row.heartbeat_at.getTime() > backtestLostMs
  return {
    id: row.id,
    state: isLost ? 'failed' : row.state,
    fromBlock: row.from_block,
    toBlock: row.to_block,
    checkedBlocks: row.checked_blocks,
    totalBlocks: row.to_block - row.from_block + 1,
    fired: row.fired,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    error: isLost ? lost : row.error,
    result: row.result === null ? null : TriggerBacktestResult.parse(row.result),
  }
}
