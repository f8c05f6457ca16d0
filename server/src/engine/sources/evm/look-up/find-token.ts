import type { InspectResult } from '@tocsin/contract'
import { isObject } from '../../../base/json.ts'
import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { Connection } from '../../connection.ts'
import { isRefusal } from '../rpc.ts'
import type { ChainReads } from './chain-reads.ts'

export type FoundToken = NonNullable<InspectResult['token']>

/** Asks by ERC-165 whether the contract is an ERC-1155. */
const isErc1155 = `0x01ffc9a7d9b67a26${'0'.repeat(56)}`
const yes = `0x${'1'.padStart(64, '0')}`

/** The token that a contract is; undefined if it is none. */
export async function findToken(
  connection: Pick<Connection, 'read'>,
  reads: ChainReads,
  address: string,
): Promise<FoundToken | undefined> {
  if ((await reads.call(address, isErc1155)) === yes) return { decimals: 0, standard: 'erc1155' }
  try {
    const provider = { id: 'token', type: 'token_metadata' as const, contract: address }
    return tokenOf(await connection.read(provider, undefined))
  } catch (error) {
    const isNone = error instanceof UpstreamError && error.kind === 'bad_answer'
    if (isNone || isRefusal(error)) return undefined
    throw error
  }
}

function tokenOf(metadata: unknown): FoundToken | undefined {
  if (!isObject(metadata) || typeof metadata.decimals !== 'number') return undefined
  const { symbol, name, decimals, standard } = metadata
  return {
    ...(typeof symbol === 'string' && { symbol }),
    ...(typeof name === 'string' && { name }),
    decimals,
    standard: String(standard),
  }
}
