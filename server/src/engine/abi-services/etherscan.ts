import { isObject } from '../base/json.ts'
import { type AbiServicesConfig, type AskService, Failed, failed, readAbiItems, readName } from './ask-service.ts'

/**
 * Version 2 of Etherscan's API, which serves many chains. It answers errors with HTTP 200, `status` 0 and a sentence in
 * `result`. For a contract that is not verified, a sentence takes the place of the ABI.
 */
export function etherscan({ url, apiKey }: AbiServicesConfig['etherscan']): AskService {
  return async (get, chainId, address) => {
    const { status, body } = await get(requestUrl(url, { chainid: chainId, address, apikey: apiKey }))
    if (status !== 200 || !isObject(body)) throw failed(status, body)
    if (!Array.isArray(body.result)) throw new Failed(explain(body.result))
    const [contract] = body.result
    if (!isObject(contract)) throw failed(status, body)
    const abi = readAbiItems(contract.ABI)
    if (abi) return { abi, ...readName(contract.ContractName) }
    if (/not verified/i.test(String(contract.ABI))) return undefined
    throw failed(status, body)
  }
}

function requestUrl(url: string, params: Record<string, string | undefined>): URL {
  const request = new URL(url)
  const all = { module: 'contract', action: 'getsourcecode', ...params }
  for (const [name, value] of Object.entries(all)) if (value !== undefined) request.searchParams.set(name, value)
  return request
}

/** The words are ours, because the service may repeat the key in its own. */
function explain(result: unknown): string {
  const text = String(result)
  if (/rate limit/i.test(text)) return 'it asks to be called less often'
  if (/api ?key/i.test(text)) return 'it refused the API key'
  if (/chain/i.test(text)) return 'it does not serve this chain'
  return 'it answered an error'
}
