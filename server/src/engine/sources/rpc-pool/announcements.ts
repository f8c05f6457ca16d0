import type { HeadListener } from '../connection.ts'
import type { RpcPool } from './index.ts'

/** Further behind the announced head, every endpoint has the block. */
const freshBlocks = 3

/** Remembers who told of the newest block, for as long as the stream of heads is up. */
export class Announcements {
  #latest: { number: number; from: number } | undefined

  pass(listener: HeadListener): HeadListener {
    return {
      onUp: (host) => listener.onUp?.(host),
      onHead: (head, from) => {
        this.#latest = { number: head.number, from }
        listener.onHead(head, from)
      },
      onDown: (reason) => {
        this.#latest = undefined
        listener.onDown?.(reason)
      },
    }
  }

  by(number: number): number | undefined {
    return this.#latest && number > this.#latest.number - freshBlocks ? this.#latest.from : undefined
  }
}

/** The same way to a network, for a block by its number: whoever announced the block is asked for it first. */
export function preferring<R extends Pick<RpcPool, 'ask' | 'atOne' | 'announcedBy'>>(
  rpc: R,
  endpoints: readonly string[],
): (number: number) => R {
  const places = endpoints.map((_, prefer): R => {
    const ask: RpcPool['ask'] = (method, params, read, how) =>
      rpc.ask(method, params, read, { ...how, prefer: how?.prefer ?? prefer })
    const atOne: RpcPool['atOne'] = (work, how) => rpc.atOne(work, { ...how, prefer: how?.prefer ?? prefer })
    return { ...rpc, ask, atOne }
  })
  return (number) => places[rpc.announcedBy(number) ?? -1] ?? rpc
}
