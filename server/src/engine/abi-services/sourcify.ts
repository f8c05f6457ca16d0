import { isObject } from '../base/is-object.ts'
import type { AskService } from './ask-service.ts'
import { failed } from './get-json.ts'
import { readDocumentation } from './read-documentation.ts'
import { readAbiItems, readName } from './verified-contract.ts'

/** Version 2 of Sourcify's API: 404 means that the contract is not verified. */
export function sourcify(baseUrl: string): AskService {
  return async (get, chainId, address) => {
    const url = new URL(`${baseUrl}/v2/contract/${chainId}/${address}`)
    url.searchParams.set('fields', 'abi,compilation,userdoc,devdoc')
    const { status, body } = await get(url)
    if (status === 404) return undefined
    const abi = isObject(body) ? readAbiItems(body.abi) : undefined
    if (status !== 200 || !isObject(body) || !abi) throw failed(status, body)
    const documentation = readDocumentation(body.userdoc, body.devdoc)
    return { abi, ...readName(isObject(body.compilation) && body.compilation.name), documentation }
  }
}
