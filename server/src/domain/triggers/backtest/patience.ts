import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../../store/index.ts'
import type { Context } from '../../handler.ts'
import { Refusal } from '../../refusal.ts'
import type { TryOutScope } from '../../try-out.ts'
import type { Pace, Slice } from './run.ts'

/** A slice of a job counts as one test of the account. Between two slices the job rests as long as the last one took. */
const sliceMs = 2_000
/** How many jobs of one account may wait or run. */
const openMax = 2

type Patience = { signal: AbortSignal; isAllowed: () => Promise<void> }

/** The pace of a job: it takes its turn among the tests of the account, and waits when their limits are reached. */
export function makePatience(
  { account, testLimits, now }: Pick<Context<'backtestTrigger'>, 'account' | 'testLimits' | 'now'>,
  { charged }: TryOutScope,
  { signal, isAllowed }: Patience,
): Pick<Pace, 'slice' | 'sliceMs'> {
  const startedAt = performance.now()
  const nowIs = () => new Date(now.getTime() + performance.now() - startedAt)
  const slice: Slice = async (work) => {
    await isAllowed()
    for (;;) {
      const beganAt = performance.now()
      try {
        const done = await testLimits.run(account.id, nowIs(), work, charged)
        await rest(performance.now() - beganAt, signal)
        return done
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'rate_limited') throw error
        await rest(1_000 * (error.retryAfterSeconds ?? 1), signal)
        signal.throwIfAborted()
      }
    }
  }
  return { slice, sliceMs }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal, ref: false }).catch(() => undefined)
}

export async function requireRoom(store: Store, accountId: string, now: Date): Promise<void> {
  if ((await store.backtests.countOpen(accountId, now)) < openMax) return
  throw new Refusal(
    'limit_reached',
    `${openMax} of your backtests wait or run already. Stop one, or wait until it ends.`,
  )
}
