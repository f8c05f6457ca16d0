const referenceLength = 32

/** The name of a network after CAIP-2, from the hash of its first block; undefined while that is not known. */
export function caip2Name(namespace: string, genesisHash: string | undefined): string | undefined {
  if (genesisHash === undefined) return undefined
  return `${namespace}:${genesisHash.replace(/^0x/, '').slice(0, referenceLength)}`
}
