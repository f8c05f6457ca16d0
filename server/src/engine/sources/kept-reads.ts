import { makeLruCache } from '../base/lru-cache.ts'
import type { Chain } from './chain.ts'
import type { Connection } from './connection.ts'

/** Answers of chains that never change, for all sources of a process: metadata of tokens, final blocks. */
export type KeptReads = {
  /** `isForGood` is false for an answer that may be another one later. */
  read<T>(key: string, read: () => Promise<T>, isForGood?: (answer: T) => boolean): Promise<unknown>
}

/** A connection, and the network that its kept answers belong to. */
export type ReadContext = { connection: Connection; chain: Chain; network: string; kept: KeptReads }

/** An entry takes at most about 2 KiB, because the chains shorten names. */
const answersMax = 10_000

/** Stores no failure. Callers that need the same answer at the same time share one read. */
export function makeKeptReads(max = answersMax): KeptReads {
  const answers = makeLruCache<Promise<unknown>>(max)
  return {
    read(key, read, isForGood = () => true) {
      const known = answers.find(key)
      if (known) return known
      const reading = read()
      void answers.set(key, reading)
      reading.then(
        (answer) => isForGood(answer) || answers.delete(key),
        () => answers.delete(key),
      )
      return reading
    },
  }
}
