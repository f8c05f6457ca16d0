import type { HeadListener } from '../connection.ts'
import type { AskCall, AtOneCall } from './failover.ts'

/** For blocks further behind the announced head, every endpoint is assumed to have the block. */
const newestBlocks = 3

/** Remembers which endpoint announced the newest block, while the stream of heads is up. */
export class Announcements {
  #latest: { number: number; from: number } | undefined

  recordFrom(listener: HeadListener): HeadListener {
    return {
      onUp: (host) => listener.onUp?.(host),
      onHead: (head, from) => {
        // An older head says nothing about the newest block.
        if (head.number >= (this.#latest?.number ?? 0)) this.#latest = { number: head.number, from }
        listener.onHead(head, from)
      },
      onDown: (reason) => {
        this.#latest = undefined
        listener.onDown?.(reason)
      },
    }
  }

  announcerOf(number: number): number | undefined {
    const latest = this.#latest
    return latest && number <= latest.number && number > latest.number - newestBlocks ? latest.from : undefined
  }
}

/** The same pool for a block by number: the endpoint that announced the block is asked first. */
export function preferAnnouncer<
  R extends { ask: AskCall; atOne: AtOneCall; announcedBy(number: number): number | undefined },
>(rpc: R, endpoints: readonly string[]): (number: number) => R {
  const pools = endpoints.map((_, prefer): R => {
    const ask: AskCall = (method, params, read, how) =>
      rpc.ask(method, params, read, { ...how, prefer: how?.prefer ?? prefer })
    const atOne: AtOneCall = (work, how) => rpc.atOne(work, { ...how, prefer: how?.prefer ?? prefer })
    return { ...rpc, ask, atOne }
  })
  return (number) => pools[rpc.announcedBy(number) ?? -1] ?? rpc
}
