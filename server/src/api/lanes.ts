import type { Route } from '@tocsin/contract'
import { Refusal } from '../domain/refusal.ts'

/**
 * How many requests of one account are served at once. A place is taken before the body is read and given back when the
 * answer was sent, so that one account holds neither the connections of the database nor much memory.
 */
export type Lanes = {
  /** Waits for a place and returns the function that gives it back. */
  enter(accountId: string, lane: Lane): Promise<() => void>
}
/** `network`: may wait for a remote server. `stack`: with bodies of megabytes. */
export type Lane = 'usual' | 'network' | 'stack'

/** Requests that wait for a network are limited as tests as well. */
const sizes: Record<Lane, { atOnce: number; waiting: number }> = {
  usual: { atOnce: 8, waiting: 128 },
  network: { atOnce: 24, waiting: 64 },
  stack: { atOnce: 2, waiting: 16 },
}

type Places = { taken: number; waiting: (() => void)[] }

/** Streams have a limit of their own. */
export function laneOf(route: Route): Lane | undefined {
  if (route.events === 'only') return undefined
  if (route.bodyKind === 'stack') return 'stack'
  return route.events === 'progress' || (route.method === 'POST' && route.reachesNetwork) ? 'network' : 'usual'
}

export function makeLanes(): Lanes {
  const open = new Map<string, Places>()
  return {
    async enter(accountId, lane) {
      const key = `${lane} ${accountId}`
      const places = open.get(key) ?? { taken: 0, waiting: [] }
      open.set(key, places)
      const { atOnce, waiting } = sizes[lane]
      if (places.waiting.length >= waiting) throw tooMany(waiting)
      if (places.taken < atOnce) places.taken++
      else await new Promise<void>((go) => places.waiting.push(go))
      return () => {
        const next = places.waiting.shift()
        if (next) return next()
        places.taken--
        if (places.taken === 0) open.delete(key)
      }
    },
  }
}

function tooMany(waiting: number): Refusal {
  const message = `${waiting} requests of this account are waiting already. Try again in 1 s.`
  return new Refusal('unavailable', message, undefined, { retryAfterSeconds: 1 })
}
