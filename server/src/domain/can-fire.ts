/** Why a trigger cannot make alerts now, in a sentence for people who rely on it. */
import type { TriggerStatus } from '@tocsin/contract'
import type { Network } from './settings.ts'

/** `sources` are the chains that the trigger reads: none for timers and streams, several with bindings. */
export type FiringFacts = { fullname: string; status: TriggerStatus; sources: readonly string[] }

/** Undefined if nothing speaks against alerts. The status of a trigger tells of sources that are unknown or in error. */
export function silenceOf({ fullname, status, sources }: FiringFacts, networks: readonly Network[]) {
  if (status.status === 'broken')
    return `No alert can come: the trigger "${fullname}" is broken. ${status.issue ?? ''}`.trimEnd()
  return missingEndpoint(sources, networks)
}

/** A built-in network without an endpoint is never followed, so its triggers are not broken: nothing ever comes. */
export function missingEndpoint(sources: readonly string[], networks: readonly Network[]): string | undefined {
  const silent = networks.filter(({ fullname, endpoints }) => endpoints.length === 0 && sources.includes(fullname))
  if (silent.length === 0) return undefined
  const names = silent.map(({ title }) => title).join(' and ')
  return `No alert can come from ${names}: this service has no endpoint for it. The operator can add one, or use a source of your own.`
}
