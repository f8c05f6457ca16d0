import { type Issue, type SourceKind, TriggerSpec } from '@tocsin/contract'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { Connection } from '../../engine/sources/connection.ts'
import type { NewHistory } from '../../store/alerts/histories.ts'
import type { SubscriptionFields } from '../../store/alerts/subscriptions.ts'
import type { TriggerToRun } from '../../store/following/listeners.ts'
import type { Context } from '../handler.ts'
import { invalidPayload, Refusal } from '../refusal.ts'
import { runTryOut } from '../try-out.ts'

type CreateContext = Context<'createSubscription'>
type From = { block?: number | undefined; time?: string | undefined; delivers: boolean }
type BlockSpec = Extract<TriggerSpec, { dataSource: string }>
type Subscribed = { trigger: TriggerToRun; spec: BlockSpec }

/** Finds the first block of a history and checks that it can be read. Refuses a history that is too long. */
export async function readHistoryStart(
  context: CreateContext,
  fields: SubscriptionFields,
  from: From,
): Promise<NewHistory> {
  const [first] = requireOneSource(await findSubscribed(context, fields))
  const { trigger, spec } = first
  const { fullname } = trigger
  const [workspace] = fullname.split('.')
  return runTryOut(
    context,
    spec,
    async (tryOut) => {
      try {
        const connection = await tryOut.connection()
        const head = await connection.head()
        const block = await findStart(context, connection, head.number, from)
        requireLength(context, head.number - block + 1)
        if (block <= head.number)
          await requireReadable(context, connection, { spec, kind: await tryOut.kindOf() }, block)
        return { source: spec.dataSource, from: block, to: head.number, delivers: from.delivers }
      } catch (error) {
        if (error instanceof UpstreamError) throw wrong('from', error.message)
        throw error
      }
    },
    { workspace, isSaved: true },
  )
}

const severalSources = 'the events are from several sources; a history needs one'

/** The triggers of the subscription that exist. */
async function findSubscribed({ store }: CreateContext, fields: SubscriptionFields): Promise<TriggerToRun[]> {
  const { triggerId, templateId, projectId, topics } = fields
  if (triggerId !== null) return store.listeners.findTriggers([triggerId], [])
  const template = templateId === null ? undefined : await store.templates.find(projectId, templateId)
  const rules = template?.rules.filter(({ topic, deprecated }) => topics?.includes(topic) && !deprecated) ?? []
  return store.listeners.findTriggers(
    [],
    rules.map((rule) => rule.trigger),
  )
}

function requireOneSource(triggers: readonly TriggerToRun[]): [Subscribed, ...Subscribed[]] {
  const subscribed = triggers.map((trigger): Subscribed => {
    const spec = TriggerSpec.safeParse(trigger.definition.triggerSpec).data
    if (spec?.type === 'timer') throw wrong('from', `"${trigger.fullname}" is a timer, which has no past blocks`)
    if (!spec) throw wrong('from', `"${trigger.fullname}" does not read the blocks of a source`)
    const others = (trigger.definition.sourceBindings ?? []).map(({ dataSource }) => dataSource)
    if (others.some((source) => source !== spec.dataSource)) throw wrong('from', severalSources)
    return { trigger, spec }
  })
  const [first, ...rest] = subscribed
  if (!first) throw wrong('from', 'the subscription has no trigger that reads the blocks of a source')
  if (rest.some(({ spec }) => spec.dataSource !== first.spec.dataSource)) throw wrong('from', severalSources)
  return [first, ...rest]
}

async function findStart(
  { now, settings }: CreateContext,
  connection: Connection,
  head: number,
  { block, time }: From,
): Promise<number> {
  if (block !== undefined) {
    if (block > head) throw wrong('from.block', `the chain has no block ${block} yet: its latest block is ${head}`)
    return block
  }
  const sinceMs = Date.parse(time ?? '')
  const lowest = Math.max(0, head - settings.limits.historyBlocks)
  const found = await findFirstSince(connection, { sinceMs, lowest, head })
  // The clock of a chain may be ahead of ours.
  if (found.number > head && sinceMs > now.getTime()) throw wrong('from.time', 'is in the future')
  if (found.isCutBy !== undefined)
    throw wrong('from.time', `the blocks of that time cannot be read: ${found.isCutBy.message}`)
  return found.number
}

function requireLength({ settings }: CreateContext, used: number): void {
  const limit = settings.limits.historyBlocks
  if (used <= limit) return
  const message = `The operator allows a history of ${limit} blocks, and this one would have at least ${used}.`
  throw new Refusal('limit_reached', message, { limit, used })
}

/** A node may have deleted old blocks, or parts of them. */
async function requireReadable(
  { engine, body }: CreateContext,
  connection: Connection,
  { spec, kind }: { spec: BlockSpec; kind: SourceKind },
  block: number,
): Promise<void> {
  const { neededParts, addresses } = await (await engine.chain(kind)).items.prepare(spec)
  try {
    await connection.block(block, neededParts, { addresses })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const path = body.from?.block === undefined ? 'from.time' : 'from.block'
    throw wrong(path, `the source cannot read block ${block}: ${error.message}`)
  }
}

function wrong(path: string, message: string): Refusal {
  const issue: Issue = { path, message }
  return invalidPayload([issue])
}

type Range = { sinceMs: number; lowest: number; head: number }
/** `isCutBy`: the node cannot read the block before, so earlier blocks may be of that time too. */
type FirstSince = { number: number; isCutBy?: UpstreamError }

/** The most numbers in a row without a block, on chains that skip numbers. */
const skippedMax = 1_000

/**
 * Finds the first block of a time or later, from `lowest` on, by bisection over the timestamps: about log2(blocks) calls. If
 * even the head is older, the result is the number after it.
 */
async function findFirstSince(connection: Connection, { sinceMs, lowest, head }: Range): Promise<FirstSince> {
  let [low, high] = [lowest, head + 1]
  let isCutBy: UpstreamError | undefined
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const at = await timeOf(connection, middle, lowest)
    if (at instanceof UpstreamError) isCutBy = at
    if (!(at instanceof UpstreamError) && (at === undefined || at >= sinceMs)) high = middle
    else low = middle + 1
    if (!(at instanceof UpstreamError) && low > middle) isCutBy = undefined
  }
  return { number: high, ...(isCutBy && { isCutBy }) }
}

/** The time of the block, or of the last block before it; undefined if there is none from `lowest` on. */
async function timeOf(
  connection: Connection,
  number: number,
  lowest: number,
): Promise<number | UpstreamError | undefined> {
  try {
    for (let at = number; at >= Math.max(lowest, number - skippedMax); at -= 1) {
      const block = await connection.block(at, [])
      if (block?.timestampMs !== undefined) return block.timestampMs
    }
    return undefined
  } catch (error) {
    if (error instanceof UpstreamError) return error
    throw error
  }
}
