import { isObject } from '../base/json.ts'
import { type AskService, failed, readAbiItems, readName } from './ask-service.ts'

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

const textLengthMax = 1_000

/**
 * The comments of a contract's author by signature. The user's documentation has a notice for each event and method, the
 * developer's has details.
 */
function readDocumentation(userdoc: unknown, devdoc: unknown): Record<string, string> {
  const texts = [
    ...textsOf(devdoc, 'events', 'details'),
    ...textsOf(devdoc, 'methods', 'details'),
    ...textsOf(userdoc, 'events', 'notice'),
    ...textsOf(userdoc, 'methods', 'notice'),
  ]
  return Object.fromEntries(texts)
}

function textsOf(doc: unknown, part: 'events' | 'methods', field: 'details' | 'notice'): [string, string][] {
  const entries = isObject(doc) ? doc[part] : undefined
  if (!isObject(entries)) return []
  return Object.entries(entries).flatMap(([signature, entry]): [string, string][] => {
    const text = isObject(entry) ? entry[field] : undefined
    return typeof text === 'string' ? [[signature, text.slice(0, textLengthMax).toWellFormed()]] : []
  })
}
