import type { Issue, PayloadLimits, RouteName, TestMatch, TimerSpec, TriggerSpec } from '@tocsin/contract'
import type * as z from 'zod'
import { isObject } from '../../../engine/base/json.ts'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import { warnOfSpec } from '../../../engine/check/index.ts'
import type { Read, SentParts } from '../../../engine/check/try-out.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { Run, RunDebug, RunnableTrigger } from '../../../engine/run-trigger/index.ts'
import type { ChainBlock } from '../../../engine/sources/block.ts'
import { withinSourceTime } from '../../../engine/sources/deadline.ts'
import { type OneTrigger, prepareOneTrigger } from '../../../engine/sources/one-trigger.ts'
import { sampleTick } from '../../../engine/sources/timer/timer-item.ts'
import { readPartsInTurn, readSpecInTurn } from '../../../engine/threads/index.ts'
import { fillReadableLists } from '../../condition-lists.ts'
import type { Caller } from '../../find-source.ts'
import type { Context, Handler } from '../../handler.ts'
import {
  requireTryOutScope,
  runTryOut,
  type TryOut,
  type TryOutScope,
  toIssue,
  tryOutTimeoutMs,
} from '../../try-out.ts'
import { readTriedBinding } from '../../try-out-binding.ts'
import { requireReadableSources } from '../sources.ts'
import { learnMembers } from './learn-members.ts'

/** Runs activation and transforms on a given input. Providers are checked but not called; their values are given. */
export const previewTrigger: Handler<'previewTrigger'> = async (context) => {
  const { body } = context
  await requireReadableSources(context, { providers: body.providers })
  const scope = await requireTryOutScope(context.store, context.account, body.project)
  return limited(context, scope, async () => {
    const bound = await readTriedBinding(context, body, body.input)
    const trigger = await readTrigger(body, context.settings.limits, context)
    if (!trigger.ok || bound.issues.length > 0) return invalid([...bound.issues, ...(trigger.ok ? [] : trigger.issues)])
    if (!isObject(body.input)) return invalid([{ path: 'input', message: 'must be an object, like source items' }])
    const item = (await bound.open(context)).item(body.input)
    const sample = { item, inputs: bound.inputs(body.inputs), providersData: body.providersData ?? {} }
    return runTryOut(context, null, async (tryOut) => outcome(await tryOut.run(trigger.value, sample)), scope)
  })
}

/** Runs the whole definition on a sample: the given one, one from the source, or the spec's testInput. */
export const testTrigger: Handler<'testTrigger'> = async (context) => {
  const { body } = context
  const given = body.input ?? (body.test === undefined ? body.triggerSpec?.testInput : undefined)
  return testOn(context, given, async (sampling) => {
    if (given === undefined) return sampling(body.test ?? {})
    if (!isObject(given))
      return { ok: false, issues: [{ path: 'input', message: 'must be an object, like source items' }] }
    return { ok: true, item: given, count: 1 }
  })
}

export const testTriggerBlock: Handler<'testTriggerBlock'> = async (context) => {
  const { block, itemIndex } = context.body
  return testOn(context, undefined, (sampling) => sampling({ block, itemIndex }))
}

type Testing = Context<'testTrigger'> | Context<'testTriggerBlock'>
type Sampling = (where: Parameters<typeof findSample>[3]) => Promise<Found>

/** `given` is the sample that the caller sent, if any. */
async function testOn(context: Testing, given: unknown, find: (sampling: Sampling) => Promise<Found>) {
  const { body, account, engine, settings } = context
  const bound = await readTriedBinding(context, body, given)
  const triggerSpec = bound.triggerSpec ?? null
  await requireReadableSources(context, { ...body, triggerSpec })
  const scope = await requireTryOutScope(context.store, context.account, body.project)
  return limited(context, scope, async () => {
    const [spec, trigger] = await Promise.all([
      readSpecInTurn(account.id, triggerSpec),
      readTrigger(body, settings.limits, context),
    ])
    const issues = [...(spec.ok ? [] : spec.issues), ...bound.issues, ...(trigger.ok ? [] : trigger.issues)]
    if (!spec.ok || !trigger.ok || issues.length > 0) return invalid(issues)
    return runTryOut(
      context,
      spec.value,
      async (tryOut) => {
        const found = await find((where) => findSample(tryOut, engine, spec.value, where))
        if (!found.ok) return invalid(found.issues, found.count === undefined ? {} : { sourceEventsCount: found.count })
        const item = (await bound.open(context)).item(found.item)
        const run = await tryOut.run(trigger.value, { item, inputs: bound.inputs(body.inputs) })
        const answer = outcome(run, { input: item, sourceEventsCount: found.count })
        return { ...answer, issues: [...(await warningsOf(spec.value)), ...answer.issues] }
      },
      scope,
    )
  })
}

/** A test that succeeds still reports the warning of the definition, as a save does. */
async function warningsOf(spec: TriggerSpec): Promise<Issue[]> {
  const warning = await warnOfSpec(spec, 'triggerSpec')
  return warning ? [{ path: warning.path, message: warning.message }] : []
}

/** Applies the limits on tests of the account and the workspace. */
export function limited<Name extends RouteName, T>(
  { account, testLimits, now }: Pick<Context<Name>, 'testLimits' | 'now'> & { account: { id: string } },
  { charged }: TryOutScope,
  work: () => Promise<T>,
): Promise<T> {
  return testLimits.run(account.id, now, work, charged)
}

/** The payload of a try-out. */

/** The address lists of its conditions are those that the caller may read. */
async function readTrigger(
  { providers, activation, conditions, transform, outputSchema }: SentParts,
  limits: PayloadLimits,
  { store, account }: Pick<Caller, 'store' | 'account'>,
): Promise<Read<RunnableTrigger>> {
  const parts = { providers, activation, conditions, transform, outputSchema }
  const read = await readPartsInTurn(account.id, parts, limits)
  if (!read.ok) return read
  const filled = await fillReadableLists(store, account, read.value.conditions, 'conditions')
  if (filled.issues.length > 0) return { ok: false, issues: filled.issues }
  return { ok: true, value: { ...read.value, conditions: filled.condition, executionPolicy: null } }
}

type Where = z.output<typeof TestMatch>
type Found = { ok: true; item: SourceItem; count: number } | { ok: false; issues: Issue[]; count?: number }

/** Finds the sample that a test names: a tick, or the n-th matching item of a block or transaction. */
async function findSample(tryOut: TryOut, engine: Engine, spec: TriggerSpec, where: Where): Promise<Found> {
  if (spec.type === 'timer') return timerSample(spec, where, tryOut.now)
  try {
    const trigger = await prepareOneTrigger(await engine.chain(await tryOut.kindOf()), spec)
    const block = await withinSourceTime(fetchBlock(tryOut, trigger, where), tryOutTimeoutMs(engine))
    if (block) await withinSourceTime(learnBefore(tryOut, trigger, block), tryOutTimeoutMs(engine))
    if (!block) return { ok: false, issues: [{ path: whereIs(where), message: 'the source has no such block' }] }
    const items = itemsOf(trigger, block, where.transactionHash)
    const issues = items.length === 0 ? (trigger.items.issuesIn?.(block) ?? []) : []
    if (issues.length > 0) return { ok: false, issues, count: 0 }
    return pick(items, where.itemIndex ?? 0, block.number)
  } catch (error) {
    return { ok: false, issues: [toIssue(error)] }
  }
}

/** Dates end at 8.64e15; a search for a scheduled time needs room before that. */
const timeMaxMs = 8e15

function timerSample(spec: TimerSpec, { now }: Where, clock: Date): Found {
  if (now === undefined) return { ok: true, item: sampleTick(spec, clock.getTime()), count: 1 }
  const at = new Date(now).getTime()
  if (!Number.isFinite(at) || Math.abs(at) > timeMaxMs)
    return { ok: false, issues: [{ path: 'test.now', message: 'must be a time' }] }
  return { ok: true, item: sampleTick(spec, at), count: 1 }
}

async function fetchBlock(tryOut: TryOut, trigger: OneTrigger, where: Where): Promise<ChainBlock | undefined> {
  const connection = await tryOut.connection()
  const { neededParts, addresses } = trigger.items
  if (where.transactionHash !== undefined)
    return connection.blockOfTransaction(where.transactionHash, neededParts, { addresses })
  const number = where.block ?? where.slot ?? (await connection.head()).number
  return connection.block(number, neededParts, { addresses })
}

async function learnBefore(tryOut: TryOut, trigger: OneTrigger, { number }: ChainBlock): Promise<void> {
  await learnMembers(await tryOut.connection(), trigger, number)
}

function whereIs({ transactionHash, slot }: Where): string {
  if (transactionHash !== undefined) return 'test.transactionHash'
  return slot === undefined ? 'block' : 'test.slot'
}

function itemsOf(trigger: OneTrigger, block: ChainBlock, transactionHash: string | undefined): SourceItem[] {
  const items = trigger.match(block)
  if (transactionHash === undefined) return items
  return items.filter((item) => hashesOf(item).some((hash) => hash.toLowerCase() === transactionHash.toLowerCase()))
}

function hashesOf({ transactionHash, hash, transaction }: SourceItem): string[] {
  const signature = (transaction as { signature?: unknown } | undefined)?.signature
  return [transactionHash, hash, signature].filter((text): text is string => typeof text === 'string')
}

function pick(items: SourceItem[], index: number, block: number): Found {
  const item = items[index]
  if (item) return { ok: true, item, count: items.length }
  const message =
    items.length === 0
      ? `nothing in block ${block} matches the triggerSpec`
      : `block ${block} has only ${items.length} matching items`
  return { ok: false, issues: [{ path: 'itemIndex', message }], count: items.length }
}

export const noDebug: RunDebug = { providers: {}, logs: [], timings: {}, metrics: { providerCalls: 0, bytes: 0 } }

/** The definition or the sample cannot be run. */
function invalid(issues: Issue[], rest: { input?: SourceItem; sourceEventsCount?: number } = {}) {
  return { valid: false, issues, output: null, debug: noDebug, ...rest }
}

/** An inactive run, or one without an output, is a valid result. */
function outcome({ issues, debug, ...run }: Run, rest: { input?: SourceItem; sourceEventsCount?: number } = {}) {
  const output = run.kind === 'output' ? outputOf(run.outputs) : null
  return { valid: run.kind !== 'failed', issues, output, debug, ...rest }
}

function outputOf(outputs: Extract<Run, { kind: 'output' }>['outputs']) {
  const [first] = outputs
  return outputs.length > 1 ? { ...first, outputs } : first
}
