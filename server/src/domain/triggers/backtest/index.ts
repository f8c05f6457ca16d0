/** Backtests: how often and when a definition would have fired over past blocks. Nothing is saved or sent. */

import { type BacktestProgress, type Issue, TriggerSpec } from '@tocsin/contract'
import type * as z from 'zod'
import type { Engine } from '../../../engine/engine.ts'
import type { BlockPart, ChainBlock } from '../../../engine/sources/block.ts'
import type { Connection } from '../../../engine/sources/connection.ts'
import { Events, type ServerEvent } from '../../answers.ts'
import type { Context, Handler } from '../../handler.ts'
import { runTryOut, type TryOut, toIssue } from '../../try-out.ts'
import { readTriedBinding } from '../../try-out-binding.ts'
import { requireReadableSources } from '../sources.ts'
import { limited } from '../try-outs/handlers.ts'
import { learnMembers } from '../try-outs/learn-members.ts'
import { type Candidate, type Candidates, difference, findCandidates, makeTally, type Tally } from './tally.ts'

type Progress = z.output<typeof BacktestProgress>
type Report = (progress: Progress) => void
type BacktestContext = Context<'backtestTrigger'>

/** Access is checked before the first event. The work counts as one test of the account. */
export const backtestTrigger: Handler<'backtestTrigger'> = async (context) => {
  const found = await findCandidates(context)
  for (const { definition } of found.candidates) {
    const { triggerSpec } = await readTriedBinding(context, { ...definition, binding: context.body.binding })
    await requireReadableSources(context, { ...definition, triggerSpec: triggerSpec ?? null })
  }
  return new Events(
    (signal) => pushedEvents((report) => limited(context, found.scope, () => run(context, found, report, signal))),
    found.scope.memberOf,
  )
}

async function run(context: BacktestContext, found: Candidates, report: Report, signal: AbortSignal) {
  const { candidates, scope, savedId } = found
  const spec = await specOf(context, candidates[0])
  if (!spec || spec.type === 'timer')
    return refused([{ path: 'triggerSpec', message: 'only a trigger on the blocks of a source can be backtested' }])
  return runTryOut(
    context,
    spec,
    async (tryOut) => {
      try {
        return await overBlocks({ context, candidates, savedId, tryOut, engine: context.engine, spec, report, signal })
      } catch (error) {
        return refused([toIssue(error)])
      }
    },
    scope,
  )
}

/** Reads the spec only. Issues of the rest are found when the definition is prepared for the run. */
async function specOf(context: BacktestContext, candidate: Candidate | undefined): Promise<TriggerSpec | undefined> {
  const { triggerSpec } = await readTriedBinding(context, { ...candidate?.definition, binding: context.body.binding })
  return TriggerSpec.safeParse(triggerSpec).data
}

type Work = {
  context: BacktestContext
  candidates: Candidate[]
  savedId: string | undefined
  tryOut: TryOut
  engine: Engine
  spec: Extract<TriggerSpec, { dataSource: string }>
  report: Report
  signal: AbortSignal
}

async function overBlocks({ context, candidates, savedId, tryOut, engine, spec, report, signal }: Work) {
  const { body } = context
  const chain = await engine.chain(await tryOut.kindOf())
  const tallies: Tally[] = []
  for (const candidate of candidates)
    tallies.push(await makeTally(candidate, { tryOut, caller: context, savedId, body, chain, spec }))
  const wrong = tallies[0]?.unusable ?? []
  if (wrong.length > 0) return refused(wrong)
  const connection = await tryOut.connection()
  const range = await rangeOf(body, async () => (await connection.head()).number)
  for (const { trigger } of tallies) if (trigger) await learnMembers(connection, trigger, range.from)
  const totalBlocks = range.to - range.from + 1
  let checkedBlocks = 0
  const parts = [...new Set(tallies.flatMap(({ trigger }) => trigger?.items.neededParts ?? []))]
  for await (const { blocks, upTo } of walkBlocks(connection, range, parts, signal)) {
    for (const tally of tallies) await tally.count(blocks)
    checkedBlocks = upTo - range.from + 1
    report({ checkedBlocks, totalBlocks, fired: tallies[0]?.fired() ?? 0 })
  }
  const [result, draft] = tallies.map((tally) => tally.result())
  return {
    valid: true,
    issues: [],
    fromBlock: range.from,
    toBlock: range.to,
    checkedBlocks,
    ...(result && { result }),
    ...(result && draft && { draft, difference: difference(result, draft) }),
  }
}

async function rangeOf(
  body: BacktestContext['body'],
  head: () => Promise<number>,
): Promise<{ from: number; to: number }> {
  if (body.fromBlock !== undefined && body.toBlock !== undefined) return { from: body.fromBlock, to: body.toBlock }
  const to = await head()
  return { from: Math.max(0, to - (body.lastBlocks ?? 1) + 1), to }
}

function refused(issues: Issue[]) {
  return { valid: false, issues, checkedBlocks: 0 }
}

/** How many blocks are fetched at the same time. */
const stride = 16

/** The blocks of a range in order, fetched in groups. Slots without a block are skipped. Ends if the reader stops. */
async function* walkBlocks(
  connection: Connection,
  { from, to }: { from: number; to: number },
  parts: readonly BlockPart[],
  signal: AbortSignal,
  addresses?: readonly string[],
): AsyncIterable<{ blocks: ChainBlock[]; upTo: number }> {
  for (let first = from; first <= to && !signal.aborted; first += stride) {
    const numbers = Array.from({ length: Math.min(stride, to - first + 1) }, (_, offset) => first + offset)
    const blocks = await Promise.all(numbers.map((number) => connection.block(number, parts, { addresses })))
    yield { blocks: blocks.filter((block) => block !== undefined), upTo: first + numbers.length - 1 }
  }
}

/**
 * Turns work that reports progress into events. Sends `progress` events, only the latest if the reader is slow, and
 * `result` at the end. If the work fails, the reader gets the error.
 */
async function* pushedEvents<Progress>(
  work: (tell: (progress: Progress) => void) => Promise<unknown>,
): AsyncIterable<ServerEvent> {
  let latest: Progress | undefined
  let wake = Promise.withResolvers<void>()
  const working = work((progress) => {
    latest = progress
    wake.resolve()
  })
  let isOver = false
  const end = () => {
    isOver = true
    wake.resolve()
  }
  working.then(end, end)
  while (!isOver) {
    await wake.promise
    wake = Promise.withResolvers<void>()
    const data = latest
    latest = undefined
    if (data !== undefined) yield { event: 'progress', data }
  }
  yield { event: 'result', data: await working }
}
