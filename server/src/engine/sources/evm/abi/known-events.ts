import { interfaces } from '../interfaces/index.ts'
import { type AbiItem, readAbi } from './read-abi.ts'

let bySignature: Promise<Map<string, AbiItem[]>> | undefined

/**
 * The events of common interfaces with this canonical signature, most common first; none when it is not known. They have the
 * `indexed` marks and names that a signature lacks.
 */
export async function knownEvents(signature: string): Promise<readonly AbiItem[]> {
  bySignature ??= readLines()
  return (await bySignature).get(signature) ?? []
}

export function indexedCount({ inputs }: Pick<AbiItem, 'inputs'>): number {
  return inputs.filter(({ indexed }) => indexed).length
}

async function readLines(): Promise<Map<string, AbiItem[]>> {
  const lines = interfaces.flatMap(({ lines }) => lines).filter((line) => line.startsWith('event '))
  const abi = await readAbi(lines, 'event')
  if (!abi.ok) throw new Error(`a known event ${abi.message}`)
  return Map.groupBy(abi.items, ({ signature }) => signature)
}
