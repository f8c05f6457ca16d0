import type { SourceItem } from '../base/source-item.ts'
import { contractOf, type TokenTable } from '../message/index.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { ScriptNetwork } from '../script/index.ts'
import type { Connection } from '../sources/connection.ts'
import type { SourceAddress } from '../sources/connections.ts'
import { explorerPatterns, nativeToken } from '../sources/network-facts.ts'

type Source = { addressOf(): Promise<SourceAddress>; connection(): Promise<Connection>; tokens: TokenTable }

/** Reads what scripts can show of the network of some items. Without the source they show values as they are on the chain. */
export async function readScriptNetwork(
  { addressOf, connection, tokens }: Source,
  items: readonly SourceItem[],
): Promise<(item: SourceItem) => ScriptNetwork | undefined> {
  try {
    const address = await addressOf()
    const contracts = items.flatMap((item) => contractOf(item) ?? [])
    const tokenOf = await tokens.load({ address, connection }, contracts)
    const native = nativeToken(address)
    const shared = { explorer: explorerPatterns(address), ...(native && { native }) }
    return (item) => {
      const contract = contractOf(item)
      const token = contract === undefined ? undefined : tokenOf(contract)
      return { ...shared, ...(token && { token }) }
    }
  } catch (error) {
    if (error instanceof UpstreamError) return () => undefined
    throw error
  }
}
