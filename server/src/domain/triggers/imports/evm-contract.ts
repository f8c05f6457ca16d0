import { UpstreamError } from '../../../engine/outbound/upstream-error.ts'
import { type Asking, atSource, findVerified, saveContractName, saveRoleNames } from '../../look-ups.ts'
import { invalidPayload } from '../../refusal.ts'

/** Loaded when it is first used: it needs heavy libraries. */
export const loadEvmLookUp = () => import('../../../engine/sources/evm/look-up/index.ts')

type EvmLookUp = Awaited<ReturnType<typeof loadEvmLookUp>>
export type LookedUp = Awaited<ReturnType<EvmLookUp['lookUpContract']>>
export type Entries = ReturnType<EvmLookUp['entriesOf']>
export type Entry = Entries['events'][number]

/** Blocks whose logs are read for events that the code does not show. */
const recentBlocks = 1_000
const recentMs = 5_000

/** The address in lower case. */
export async function requireEvmAddress(text: string, path: string): Promise<string> {
  const { whyNotEvmAddress } = await loadEvmLookUp()
  const message = whyNotEvmAddress(text)
  if (message !== undefined) throw invalidPayload([{ path, message }])
  return text.toLowerCase()
}

/** The ABI of the contract at an address. If the network cannot be read, `error` says so. */
export async function lookUpContract(asking: Asking, source: string, address: string): Promise<LookedUp> {
  const { chainReads, lookUpContract, logsOrNone, readRecentLogs, rolesIn } = await loadEvmLookUp()
  try {
    const found = await atSource(asking, source, async (connection) => {
      const reads = chainReads(connection.request)
      const recentLogs = async () => {
        const options = { head: await reads.head(), blocks: recentBlocks, endsAtMs: performance.now() + recentMs }
        return (await readRecentLogs(reads, address, options)).logs
      }
      const deps = {
        reads,
        findVerified: (chainId: string, of: string) => findVerified(asking, chainId, of),
        recentLogs: () => logsOrNone(recentLogs()),
      }
      return lookUpContract(deps, address)
    })
    if (found.name !== undefined) await saveContractName(asking, source, address, found.name)
    await saveRoleNames(asking, source, rolesIn(found.items))
    return found
  } catch (error) {
    return { code: '', items: [], source: 'selectors', documentation: {}, error: explainFailure(error) }
  }
}

/** The decimals of an ERC-20 token; undefined if the contract is none, or cannot be read. */
export async function findDecimals(asking: Asking, source: string, address: string): Promise<number | undefined> {
  const { chainReads, findToken } = await loadEvmLookUp()
  try {
    const token = await atSource(asking, source, (connection) =>
      findToken(connection, chainReads(connection.request), address),
    )
    return token?.standard === 'erc20' ? token.decimals : undefined
  } catch (error) {
    if (error instanceof UpstreamError) return undefined
    throw error
  }
}

/** A sentence for an error of the network. Any other error is a bug and is thrown. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof UpstreamError)) throw error
  return `The network could not be read: ${error.message.replace(/\.$/, '')}. Check the source, or paste the ABI.`
}
