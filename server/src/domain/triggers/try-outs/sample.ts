import type { Issue, TestMatch, TimerSpec, TriggerSpec } from '@tocsin/contract'
import type * as z from 'zod'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { ChainBlock } from '../../../engine/sources/block.ts'
import { withinSourceTime } from '../../../engine/sources/deadline.ts'
import { type OneTrigger, prepareOneTrigger } from '../../../engine/sources/one-trigger.ts'
import { sampleTick } from '../../../engine/sources/timer/timer-item.ts'
import { type TryOut, toIssue, tryOutTimeoutMs } from '../../try-out.ts'
import { learnMembers } from './learn-members.ts'

type Where = z.output<typeof TestMatch>
export type Found = { ok: true; item: SourceItem; count: number } | { ok: false; issues: Issue[]; count?: number }

/** Finds the sample that a test names: a tick, or the n-th matching item of a block or transaction. */
export async function findSample(tryOut: TryOut, engine: Engine, spec: TriggerSpec, where: Where): Promise<Found> {
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
