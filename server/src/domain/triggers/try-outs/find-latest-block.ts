import { type Conditions, type Issue, isTriggerCondition, TriggerConditions, type TriggerSpec } from '@tocsin/contract'
import { makePauses } from '../../../engine/base/event-loop-turns.ts'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import { OverBudget } from '../../../engine/conditions/budget.ts'
import { compileConditions } from '../../../engine/conditions/predicate.ts'
import { compileEarlyTriggerFilter } from '../../../engine/conditions/trigger-conditions.ts'
import type { ChainBlock } from '../../../engine/sources/block.ts'
import type { Connection } from '../../../engine/sources/connection.ts'
import { withinSourceTime } from '../../../engine/sources/deadline.ts'
import { type OneTrigger, prepareOneTrigger } from '../../../engine/sources/one-trigger.ts'
import { sampleTick } from '../../../engine/sources/timer/timer-item.ts'
import { readSpecInTurn } from '../../../engine/threads/index.ts'
import { requireReadableTrigger } from '../../access.ts'
import { fillOwnLists, fillReadableLists } from '../../condition-lists.ts'
import type { Context, Handler } from '../../handler.ts'
import { runTryOut, type TryOut, toIssue, tryOutTimeoutMs } from '../../try-out.ts'
import { readTriedBinding } from '../../try-out-binding.ts'
import { requireReadableSources } from '../sources.ts'
import { limited } from './handlers.ts'
import { addSavedMembers, learnMembers } from './learn-members.ts'

type Search = Context<'findLatestBlock'>['body'] & {
  /** The conditions of the saved trigger. */
  triggerConditions: Conditions | null | undefined
}

/** How many blocks are fetched at the same time. */
const stride = 8

/** Searches back from the head, or from the given block, for the latest block with a matching item. */
export const findLatestBlock: Handler<'findLatestBlock'> = async (context) => {
  const { body, engine } = context
  const { bound, savedId, filtersSchema, triggerConditions, scope } = await searched(context)
  return limited(context, scope ?? {}, async () => {
    const spec = await readSpecInTurn(context.account.id, bound.triggerSpec)
    const filled = await fillReadableLists(context.store, context.account, body.conditions, 'conditions')
    const issues = [...(spec.ok ? [] : spec.issues), ...bound.issues, ...filled.issues]
    if (!spec.ok || issues.length > 0) return unmatched(issues)
    if (spec.value.type === 'timer') {
      const input = sampleTick(spec.value, context.now.getTime())
      return { valid: true, issues: [], matched: true, checkedBlocks: 0, input }
    }
    return runTryOut(
      context,
      spec.value,
      async (tryOut) => {
        try {
          const chain = await engine.chain(await tryOut.kindOf())
          const { fields } = await bound.open(context, scope)
          const trigger = await prepareOneTrigger(chain, spec.value, fields)
          await addSavedMembers(context.store, trigger, savedId, sourceOf(spec.value))
          const inputs = bound.inputs(body.inputs)
          const wanted = { ...body, conditions: filled.condition, filtersSchema, triggerConditions, inputs }
          return await search(tryOut, trigger, wanted, performance.now() + tryOutTimeoutMs(engine))
        } catch (error) {
          return unmatched([toIssue(error)])
        }
      },
      scope,
    )
  })
}

/**
 * Everyone who may read a trigger may search with its definition, even on a private source, because its alerts show the
 * same. A caller's own spec needs a source that the caller can read.
 */
async function searched(context: Context<'findLatestBlock'>) {
  const { body, store, account } = context
  if (body.trigger === undefined) {
    const bound = await readTriedBinding(context, body)
    await requireReadableSources(context, { triggerSpec: bound.triggerSpec ?? null })
    return { bound, filtersSchema: body.filtersSchema }
  }
  const saved = await requireReadableTrigger(store, account, body.trigger)
  const conditions = TriggerConditions.nullish().safeParse(saved.definition.conditions).data
  return {
    bound: await readTriedBinding(context, { ...saved.definition, binding: body.binding }),
    savedId: saved.id,
    filtersSchema: body.filtersSchema ?? saved.definition.filtersSchema,
    triggerConditions: await fillOwnLists(store, saved.workspace_id, conditions),
    scope: { workspace: saved.workspace, isSaved: true, ...(saved.level && { charged: saved.workspace }) },
  }
}

function sourceOf(spec: TriggerSpec): string {
  return 'dataSource' in spec ? spec.dataSource : ''
}

type Searched = {
  connection: Connection
  trigger: OneTrigger
  isWanted(item: SourceItem): boolean
  body: Search
  /** The newest block that counts, and the head. */
  from: number
  latestBlock: number
  inTime<T>(work: Promise<T>): Promise<T>
}

async function search(tryOut: TryOut, trigger: OneTrigger, body: Search, endsAt: number) {
  const inTime = <T>(work: Promise<T>) => withinSourceTime(work, Math.max(1, Math.round(endsAt - performance.now())))
  const connection = await tryOut.connection()
  const latestBlock = (await inTime(connection.head())).number
  const from = Math.min(body.fromBlock ?? latestBlock, latestBlock)
  await inTime(learnMembers(connection, trigger, from + 1))
  const searched = { connection, trigger, isWanted: itemFilter(body), body, from, latestBlock, inTime }
  return (await searchLogs(searched)) ?? searchBlocks(searched)
}

/** A caller that wants fewer blocks wants a quick answer. */
const rangesFromMax = 100
/** With most nodes so many ranges reach millions of blocks back; with those that allow short ones, at least so many blocks. */
const [rangesMax, rangesMost, blocksLeast] = [20, 60, 10_000]

/**
 * Asks for the logs of many blocks at once, the newest first, and reads only blocks that have some. Undefined if the source
 * cannot be asked so.
 */
async function searchLogs({ connection, trigger, isWanted, body, from, latestBlock, inTime }: Searched) {
  const { logs, neededParts, addresses } = trigger.items
  if (!logs || !connection.logBlocks || body.maxBlocks < rangesFromMax) return undefined
  const parts = connection.logBlocks(logs, { from: 0, to: from, isNewestFirst: true })[Symbol.asyncIterator]()
  let [ranges, oldestBlock, read] = [0, from + 1, 0]
  const about = () => ({
    latestBlock,
    checkedBlocks: from - oldestBlock + 1,
    ...(oldestBlock <= from && { oldestBlock }),
  })
  while (ranges < rangesMost && (ranges < rangesMax || from - oldestBlock < blocksLeast)) {
    const next = await attempt(inTime(parts.next()))
    // What was read counts, and the issue says why it was not more.
    if ('issue' in next)
      return ranges === 0 ? undefined : { valid: true, issues: [next.issue], matched: false, ...about() }
    if (next.value.done) break
    const part = next.value.value
    for (const { number } of await newestFirst(part.blocks, trigger)) {
      if (read === body.maxBlocks) return { valid: true, issues: [], matched: false, ...about() }
      read += 1
      const found = await attempt(inTime(connection.block(number, neededParts, { addresses })))
      if ('issue' in found) return { ...unmatched([found.issue]), ...about() }
      const match = found.value && (await matchIn(trigger.match(found.value), isWanted))
      oldestBlock = number
      if (match && 'issue' in match) return { ...unmatched([match.issue]), ...about() }
      if (match) return { valid: true, issues: [], matched: true, matchedBlock: number, ...about(), ...match }
    }
    oldestBlock = part.from
    ranges += 1
  }
  return { valid: true, issues: [], matched: false, ...about() }
}

/** The blocks in which the spec matches a log. */
async function newestFirst(blocks: readonly ChainBlock[], trigger: OneTrigger): Promise<ChainBlock[]> {
  const pause = makePauses()
  const hits: ChainBlock[] = []
  for (const block of blocks) {
    await pause()
    if (trigger.match(block).length > 0) hits.push(block)
  }
  return hits.sort((a, b) => b.number - a.number)
}

async function searchBlocks({ connection, trigger, isWanted, body, from, latestBlock, inTime }: Searched) {
  const { neededParts, addresses } = trigger.items
  let checkedBlocks = 0
  let impossible: Issue[] = []
  const about = () => ({
    latestBlock,
    checkedBlocks,
    ...(checkedBlocks > 0 && { oldestBlock: from - checkedBlocks + 1 }),
  })
  while (checkedBlocks < body.maxBlocks && from - checkedBlocks >= 0) {
    const numbers = blocksFrom(from - checkedBlocks, Math.min(stride, body.maxBlocks - checkedBlocks))
    const fetching = numbers.map((each) => attempt(inTime(connection.block(each, neededParts, { addresses }))))
    for (const fetched of fetching) {
      // A block that cannot be read ends the search: a match in an older block would not be the latest.
      const read = await fetched
      if ('issue' in read) return { ...unmatched([read.issue]), ...about() }
      const block = read.value
      checkedBlocks++
      const match = block && (await matchIn(trigger.match(block), isWanted))
      if (match && 'issue' in match) return { ...unmatched([match.issue]), ...about() }
      if (block && checkedBlocks === 1) impossible = trigger.items.issuesIn?.(block) ?? []
      if (block && match)
        return { valid: true, issues: [], matched: true, matchedBlock: block.number, ...about(), ...match }
    }
  }
  return { valid: impossible.length === 0, issues: impossible, matched: false, ...about() }
}

/** The response also counts the blocks that were read before the source failed. */
async function attempt<T>(work: Promise<T>): Promise<{ value: T } | { issue: Issue }> {
  try {
    return { value: await work }
  } catch (error) {
    return { issue: toIssue(error) }
  }
}

async function matchIn(items: SourceItem[], wanted: (item: SourceItem) => boolean) {
  const pause = makePauses()
  for (const [itemIndex, input] of items.entries()) {
    await pause()
    const found = isWanted(input, wanted)
    if (found === true) return { sourceEventsCount: items.length, itemIndex, input }
    if (found !== false) return found
  }
  return undefined
}

function isWanted(item: SourceItem, wanted: (item: SourceItem) => boolean): boolean | { issue: Issue } {
  try {
    return wanted(item)
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    return { issue: { path: 'conditions', message: error.message } }
  }
}

function blocksFrom(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, back) => from - back).filter((number) => number >= 0)
}

/** No provider runs, so of the conditions of a trigger only the part about the item and the inputs counts. */
function itemFilter({ conditions, triggerConditions, filtersSchema, inputs = {} }: Search) {
  const ofTrigger = [triggerConditions, conditions && isTriggerCondition(conditions) ? conditions : null]
  const filters = ofTrigger.map((each) => compileEarlyTriggerFilter(each, inputs))
  const ofSubscription = conditions && !isTriggerCondition(conditions) ? conditions : null
  const isMet = compileConditions(ofSubscription, { ...(filtersSchema && { filtersSchema }), inputs })
  return (item: SourceItem) => filters.every((passes) => passes(item)) && isMet(item, item)
}

function unmatched(issues: Issue[]) {
  return { valid: false, issues, matched: false, checkedBlocks: 0 }
}
