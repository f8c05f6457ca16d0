/** Asks the service for drafts of the chosen events and calls, on each kind of network. */
import type { Client } from '@tocsin/sdk'
import type { Draft } from './drafts.ts'
import type { Offer } from './offers.ts'

export type MakeDrafts = (project: string, offers: readonly Offer[]) => Promise<Draft[]>

export function evmDrafts(api: Pick<Client, 'importEvmDrafts'>, source: string, contract: string): MakeDrafts {
  return async (project, offers) => {
    const abi = offers.map(({ fragment }) => fragment)
    const { drafts, error } = await api.importEvmDrafts({ body: { project, source, contract, abi } })
    return requireDrafts(drafts, error)
  }
}

export function solanaDrafts(
  api: Pick<Client, 'importSolanaDrafts'>,
  source: string,
  programId: string,
  idl: Record<string, unknown>,
): MakeDrafts {
  return async (project, offers) => {
    const { drafts, error } = await api.importSolanaDrafts({ body: { project, source, programId, idl } })
    const chosen = drafts.filter(({ triggerSpec }) =>
      offers.some(({ type, name }) => (type === 'event' ? triggerSpec?.event : triggerSpec?.instruction) === name),
    )
    return requireDrafts(chosen, error)
  }
}

export function substrateDrafts(
  api: Pick<Client, 'importSubstrateDrafts'>,
  source: string,
  pallet: string,
): MakeDrafts {
  return async (project, offers) => {
    const entries = offers.map(({ type, name }) => ({ pallet, kind: type, name }))
    const { drafts, error } = await api.importSubstrateDrafts({ body: { project, source, entries } })
    return requireDrafts(drafts, error)
  }
}

function requireDrafts(drafts: Draft[], error: string | undefined): Draft[] {
  if (drafts.length === 0)
    throw new Error(error ?? 'The service can make no trigger of this. Build it by hand instead.')
  return drafts
}
