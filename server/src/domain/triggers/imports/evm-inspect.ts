import type { InspectResult } from '@tocsin/contract'
import type { Connection } from '../../../engine/sources/connection.ts'
import type { Handler } from '../../handler.ts'
import {
  type Asking,
  atSource,
  findVerified,
  requireSourceOf,
  saveContractName,
  saveRoleNames,
} from '../../look-ups.ts'
import { invalidPayload } from '../../refusal.ts'
import { limited } from '../try-outs/handlers.ts'
import { explainFailure, loadEvmLookUp, requireEvmAddress } from './evm-contract.ts'

/** What an address is, what it emits and which calls it gets. An ENS name stands for its address. */
export const inspectAddress: Handler<'inspectAddress'> = async (context) => {
  const { source, address: given } = context.body
  await requireSourceOf(context, source, 'evm')
  if (!isName(given)) await requireEvmAddress(given, 'address')
  return limited(context, {}, async () => {
    const address = isName(given) ? await addressOf(context, source, given) : given
    return { source, address, ...(await inspect(context, source, address.toLowerCase())) }
  })
}

type Inspected = Omit<InspectResult, 'source' | 'address'>

async function inspect(asking: Asking, source: string, address: string): Promise<Inspected> {
  const { chainReads, inspectAddress } = await loadEvmLookUp()
  try {
    const inspected = await atSource(asking, source, (connection) => {
      const reads = chainReads(connection.request)
      const verified = (chainId: string, of: string) => findVerified(asking, chainId, of)
      const activityMs = asking.engine.sourceTimeoutMs
      return inspectAddress({ reads, connection, findVerified: verified, activityMs }, address)
    })
    const { roles = new Map(), ...view } = inspected
    const { token, name = token?.name ?? token?.symbol } = view
    if (name !== undefined) await saveContractName(asking, source, address, token?.symbol ?? name)
    await saveRoleNames(asking, source, roles)
    return view
  } catch (error) {
    return { kind: 'contract', error: explainFailure(error), events: [], calls: [] }
  }
}

function isName(text: string): boolean {
  return /^[^\s]+\.[^\s.]+$/.test(text)
}

async function addressOf(asking: Asking, source: string, name: string): Promise<string> {
  const { chainReads, hasEns, resolveEnsName } = await loadEvmLookUp()
  const resolve = async (request: Connection['request']): Promise<{ address: string } | { message: string }> => {
    const reads = chainReads(request)
    if (!(await hasEns(reads))) return { message: 'is a name, and this network has no ENS. Paste the address' }
    const address = await resolveEnsName(reads, name)
    if (address !== undefined) return { address }
    return { message: 'is a name without an address. Check its spelling, or paste the address' }
  }
  const found = await atSource(asking, source, ({ request }) => resolve(request)).catch((error: unknown) => ({
    message: explainFailure(error),
  }))
  if ('message' in found) throw invalidPayload([{ path: 'address', message: found.message }])
  return found.address
}
