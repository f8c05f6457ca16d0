/** Runs definitions over a range of past blocks, and says what that costs. */
import { type BacktestProgress, backtestBlocksMax, type Issue, TriggerSpec } from '@tocsin/contract'
import type * as z from 'zod'
import type { Engine } from '../../../engine/engine.ts'
import type { BlockRange } from '../../../engine/sources/block.ts'
import type { Connection } from '../../../engine/sources/connection.ts'
import type { Context } from '../../handler.ts'
import { runTryOut, type TryOut, toIssue } from '../../try-out.ts'
import { readTriedBinding } from '../../try-out-binding.ts'
import { learnMembers } from '../try-outs/learn-members.ts'
import { type Candidate, type Candidates, difference, makeTally, type Tally } from './tally.ts'
import { estimateRequests, walkBlocks } from './walk-blocks.ts'

export type Progress = z.output<typeof BacktestProgress>
export type Report = (progress: Progress) => void
export type BacktestContext = Pick<
  Context<'backtestTrigger'>,
  'store' | 'account' | 'settings' | 'engine' | 'now' | 'body'
>

/** Does a part of the work: at once, or when it is its turn. */
export type Slice = <T>(work: () => Promise<T>) => Promise<T>
export type Pace = {
  slice: Slice
  /** How long a slice lasts. */
  sliceMs: number
  signal: AbortSignal
  report: Report
}

export function runBacktest(context: BacktestContext, found: Candidates, pace: Pace) {
  return withTryOut(context, found, (means) => overBlocks(means, pace))
}

/** The range and about what it costs. */
export function planBacktest(context: BacktestContext, found: Candidates) {
  return withTryOut(context, found, async (means) => {
    const prepared = await prepare(means)
    if ('refused' in prepared) return prepared.refused
    const { tallies, connection, range } = prepared
    const triggers = tallies.flatMap(({ trigger }) => trigger ?? [])
    const providers = Math.max(0, ...tallies.map((tally) => tally.providers))
    const estimate = { ...estimateRequests(connection, range, triggers), providers }
    return { valid: true, issues: [], fromBlock: range.from, toBlock: range.to, checkedBlocks: 0, estimate }
  })
}

type Means = {
  context: BacktestContext
  candidates: Candidate[]
  savedId: string | undefined
  tryOut: TryOut
  engine: Engine
  spec: Extract<TriggerSpec, { dataSource: string }>
}

async function withTryOut<T>(
  context: BacktestContext,
  { candidates, scope, savedId }: Candidates,
  work: (means: Means) => Promise<T>,
): Promise<T | ReturnType<typeof refused>> {
  const spec = await specOf(context, candidates[0])
  if (!spec || spec.type === 'timer')
    return refused([{ path: 'triggerSpec', message: 'only a trigger on the blocks of a source can be backtested' }])
  return runTryOut(
    context,
    spec,
    async (tryOut) => {
      try {
        return await work({ context, candidates, savedId, tryOut, engine: context.engine, spec })
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

type Prepared = { tallies: Tally[]; connection: Connection; range: BlockRange }

async function prepare(means: Means): Promise<Prepared | { refused: ReturnType<typeof refused> }> {
  const { context, candidates, savedId, tryOut, engine, spec } = means
  const { body } = context
  const chain = await engine.chain(await tryOut.kindOf())
  const tallies: Tally[] = []
  for (const candidate of candidates)
    tallies.push(await makeTally(candidate, { tryOut, caller: context, savedId, body, chain, spec }))
  const wrong = tallies[0]?.unusable ?? []
  if (wrong.length > 0) return { refused: refused(wrong) }
  const connection = await tryOut.connection()
  return { tallies, connection, range: await rangeOf(body, async () => (await connection.head()).number) }
}

async function overBlocks(means: Means, { slice, sliceMs, signal, report }: Pace) {
  const { tryOut, context } = means
  const hasPolicy = context.body.policy !== undefined
  const prepared = await slice(async () => {
    const found = await prepare(means)
    if ('refused' in found) return found
    const { tallies, connection, range } = found
    for (const { trigger } of tallies) if (trigger) await learnMembers(connection, trigger, range.from)
    if (hasPolicy) for (const tally of tallies) tally.begin(await timeOf(connection, range.from))
    return found
  })
  if ('refused' in prepared) return prepared.refused
  const { tallies, connection, range } = prepared
  const totalBlocks = range.to - range.from + 1
  const triggers = tallies.flatMap(({ trigger }) => trigger ?? [])
  const walking = walkBlocks(connection, { range, triggers, signal })[Symbol.asyncIterator]()
  let checkedBlocks = 0
  const walkOn = async (): Promise<boolean> => {
    const endsAt = performance.now() + sliceMs
    while (performance.now() < endsAt) {
      const next = await walking.next()
      if (next.done) return false
      for (const tally of tallies) await tally.count(next.value.blocks)
      tryOut.forgetReads()
      checkedBlocks = next.value.upTo - range.from + 1
      report({ checkedBlocks, totalBlocks, fired: tallies[0]?.fired() ?? 0 })
    }
    return true
  }
  while (await slice(walkOn));
  if (hasPolicy) for (const tally of tallies) tally.end(await timeOf(connection, range.from + checkedBlocks - 1))
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

/** A chain that is shorter than the last blocks that were asked for begins with its first block. */
async function rangeOf(body: BacktestContext['body'], head: () => Promise<number>): Promise<BlockRange> {
  if (body.fromBlock !== undefined && body.toBlock !== undefined) return { from: body.fromBlock, to: body.toBlock }
  const to = await head()
  return { from: Math.max(0, to - Math.min(body.lastBlocks ?? 1, backtestBlocksMax) + 1), to }
}

/** The time of a block; of the next one if the chain skipped its number. */
async function timeOf(connection: Connection, number: number): Promise<number> {
  return (await connection.headerFrom(Math.max(0, number)))?.timestampMs ?? 0
}

function refused(issues: Issue[]) {
  return { valid: false, issues, checkedBlocks: 0 }
}
