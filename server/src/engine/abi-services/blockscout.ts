import { isObject } from '../base/json.ts'
import { type AskService, Failed, failed, readAbiItems, readName } from './ask-service.ts'

/** Every chain has its own Blockscout. A contract that is not verified has no ABI there; an account is not found. */
export function blockscout(urls: Readonly<Record<string, string>>): AskService {
  return async (get, chainId, address) => {
    const baseUrl = urls[chainId]
    if (baseUrl === undefined) throw new Failed(`BLOCKSCOUT_URLS has none for chain ${chainId}`)
    const { status, body } = await get(new URL(`${baseUrl}/api/v2/smart-contracts/${address}`))
    if (status === 404) return undefined
    if (status !== 200 || !isObject(body)) throw failed(status, body)
    if (body.abi === undefined || body.abi === null) return undefined
    const abi = readAbiItems(body.abi)
    if (!abi) throw failed(status, body)
    return { abi, ...readName(body.name) }
  }
}
