import { type Conditions, type Issue, isTriggerCondition, TriggerConditions, type TriggerSpec } from '@tocsin/contract'
import { makePauses } from '../../../engine/base/event-loop-turns.ts'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import { OverBudget } from '../../../engine/conditions/budget.ts'
import { compileConditions } from '../../../engine/conditions/predicate.ts'
import { compileEarlyTriggerFilter } from '../../../engine/conditions/trigger-conditions.ts'
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

async function search(tryOut: TryOut, trigger: OneTrigger, body: Search, endsAt: number) {
  const inTime = <T>(work: Promise<T>) => withinSourceTime(work, Math.max(1, Math.round(endsAt - performance.now())))
  const connection = await tryOut.connection()
  const latestBlock = (await inTime(connection.head())).number
  const from = Math.min(body.fromBlock ?? latestBlock, latestBlock)
  const { neededParts, addresses } = trigger.items
  const wanted = itemFilter(body)
  await inTime(learnMembers(connection, trigger, from + 1))
  let checkedBlocks = 0
  let impossible: Issue[] = []
  while (checkedBlocks < body.maxBlocks && from - checkedBlocks >= 0) {
    const numbers = blocksFrom(from - checkedBlocks, Math.min(stride, body.maxBlocks - checkedBlocks))
    const fetching = numbers.map((each) => attempt(inTime(connection.block(each, neededParts, { addresses }))))
    for (const fetched of fetching) {
      // A block that cannot be read ends the search: a match in an older block would not be the latest.
      const read = await fetched
      if ('issue' in read) return { ...unmatched([read.issue]), latestBlock, checkedBlocks }
      const block = read.value
      checkedBlocks++
      const match = block && (await matchIn(trigger.match(block), wanted))
      if (match && 'issue' in match) return { ...unmatched([match.issue]), latestBlock, checkedBlocks }
      if (block && checkedBlocks === 1) impossible = trigger.items.issuesIn?.(block) ?? []
      if (block && match)
        return {
          valid: true,
          issues: [],
          latestBlock,
          matched: true,
          matchedBlock: block.number,
          checkedBlocks,
          ...match,
        }
    }
  }
  return { valid: impossible.length === 0, issues: impossible, latestBlock, matched: false, checkedBlocks }
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
