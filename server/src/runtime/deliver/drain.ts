import { setTimeout as pause } from 'node:timers/promises'
import { nextRound } from '../../engine/base/event-loop-turns.ts'
import type { Destination, Sent, Target } from '../../engine/destinations/index.ts'
import { attempt } from './attempt.ts'
import { Feed } from './feed.ts'
import type { Parts, Turn } from './parts.ts'
import type { Tried } from './schedule.ts'
import { settle } from './settle.ts'
import { Settler } from './settler.ts'
import { take } from './take.ts'

export type Draining = { turn: Turn; target: Target; destination: Destination; untilMs: number }

const takenMax = 1_000
/** Where order matters few are taken: what changes meanwhile should be seen. */
const takenInOrderMax = 5
/** So many that wait make a rush. */
const rushMin = 100
/** So often in a row nothing arrived: the rest of the messages need not try by themselves. */
const failuresMax = 32
/** Waiting for a rate limit is cut into slices, since clocks may be moved. */
const sliceMs = 100
/** Whoever waits longer makes room for others, where there are some. */
const longWaitMs = 1_000

/** Sends what is due, several at once where the channel allows it, and settles it on the way. */
export async function drain(draining: Draining, parts: Parts): Promise<void> {
  const { turn, target, destination } = draining
  const { ordered, atOnce } = destination
  // Whoever looks from the beginning goes over all that was settled since. What this passes by, the next drain finds.
  let from = new Date(0)
  const feed = new Feed(
    async (open) => {
      const limit = ordered ? takenInOrderMax : takenMax
      const found = await take({ ...turn, from, now: parts.clock(), ordered, limit, open }, parts)
      from = new Date(found.at(-1)?.dueMs ?? from)
      await parts.crashPoint('deliver.taken')
      return found
    },
    ordered ? 0 : (destination.rush?.handedOut ?? atOnce),
  )
  const rush = await rushOf(draining, feed, parts)
  const way = { target, destination, send: rush?.send ?? destination.send }
  let failures = 0
  let isSmooth = true
  const settler = new Settler(async (tried) => {
    await settle(tried, { turn, target, destination, isFailing: failures >= failuresMax }, parts)
    feed.settled(tried.map(({ delivery }) => delivery.id))
    parts.recentAlerts?.drop(tried.filter(isOver).map(({ delivery }) => delivery.alert_id))
  })
  const note = (tried: Tried) => {
    failures = tried.outcome.kind === 'sent' ? 0 : failures + 1
    if (failures >= failuresMax || asksForRest(tried.outcome, ordered)) feed.stop()
    settler.add(tried)
  }
  const send = async (_: unknown, place: number) => {
    // More than may be on their way are handed out only as long as all arrive, and nobody else lacks a slot.
    const isWanted = () => place < atOnce || (isSmooth && !parts.slots.areScarce)
    for (let next = await feed.next(); next; next = isWanted() ? await feed.next() : undefined) {
      if (mustStop(draining, settler, parts) || !(await inPace(draining, parts))) return feed.stop()
      const tried = await attempt(next, way, parts)
      await parts.crashPoint('deliver.sent')
      isSmooth &&= tried?.outcome.kind === 'sent'
      if (tried) note(tried)
      else feed.giveBack(next)
      if (ordered) await settler.flush()
      await nextRound()
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: rush?.handedOut ?? atOnce }, send))
  await settler.flush()
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

/** Nobody waits for what it says any longer, here or at another resource. */
function isOver({ delivery, outcome }: Tried): boolean {
  return outcome.kind === 'sent' && delivery.content.isOnly === true
}

/** A wish of the other side concerns the whole lane; in order, so does the first message that has to wait. */
function asksForRest(outcome: Sent, ordered: boolean): boolean {
  return outcome.kind === 'gone' || (outcome.kind === 'later' && (ordered || outcome.afterMs !== undefined))
}

function mustStop({ turn, untilMs }: Draining, settler: Settler, parts: Parts): boolean {
  return turn.isLost || settler.failure !== undefined || parts.mood.isStopping || performance.now() > untilMs
}

/** False when there is no sense in waiting here. */
async function inPace(draining: Draining, parts: Parts): Promise<boolean> {
  const limits = draining.destination.limits(draining.target, parts.world)
  if (limits.length === 0) return true
  for (;;) {
    const waitMs = parts.pace.waitMs(limits)
    if (waitMs === 0) return true
    const isWanted = !draining.turn.isLost && !parts.mood.isStopping
    if (!isWanted || (waitMs > longWaitMs && parts.mood.isCrowded)) return false
    await pause(Math.min(waitMs, sliceMs))
  }
}

/** Where many wait and nothing limits how many go out, alerts are handed out ahead. */
async function rushOf({ target, destination }: Draining, feed: Feed, parts: Parts): Promise<Destination['rush']> {
  const { rush } = destination
  const isLimited = () => destination.limits(target, parts.world).length > 0
  return rush && (await feed.fill()) >= rushMin && !isLimited() ? rush : undefined
}
