import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockRef } from '../block.ts'
import { type TokenMetadata, type TokenMetadataProvider, tokenText } from '../token-metadata.ts'
import { fetchAccount } from './account.ts'
import { isSolanaAddress } from './address.ts'
import type { Ask } from './calls.ts'
import { deriveAddress } from './pda.ts'

const tokenPrograms = new Set([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
])
const metaplexProgram = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'

/** The layout of a mint: its decimals, whether it is initialized, its size, and where the extensions of Token-2022 begin. */
const decimalsAt = 44
const initializedAt = 45
const mintBytes = 82
const extensionsAt = 166
const metadataExtension = 19
/** The Metaplex account begins with its kind. Then both layouts have an authority and the mint, of 32 bytes each. */
const keysBytes = 64

type Texts = Pick<TokenMetadata, 'name' | 'symbol'>

/** Reads a mint of either token program. Its name is in Metaplex's account, or in the mint itself with Token-2022. */
export async function readToken(
  ask: Ask,
  { contract }: TokenMetadataProvider,
  at: BlockRef | undefined,
): Promise<TokenMetadata> {
  if (!isSolanaAddress(contract))
    throw new UpstreamError(
      'refused',
      'contract must be a base58 address of 32 bytes once its placeholders are filled in.',
    )
  const [mint, metadata] = await Promise.all([
    fetchAccount(ask, contract, at),
    deriveMetadata(contract).then((account) => fetchAccount(ask, account, at)),
  ])
  const bytes = Buffer.from(mint.data, 'base64')
  if (!mint.state || !tokenPrograms.has(mint.state.owner ?? '') || !isMint(bytes))
    throw new UpstreamError('bad_answer', `${contract} is not the mint of a token.`)
  const texts =
    metadata.state?.owner === metaplexProgram
      ? readTexts(Buffer.from(metadata.data, 'base64').subarray(1 + keysBytes))
      : readExtension(bytes)
  const { name = null, symbol = null } = texts ?? {}
  return { address: contract, name, symbol, decimals: bytes[decimalsAt] ?? 0, standard: 'spl' }
}

function deriveMetadata(mint: string): Promise<string> {
  const seeds = [
    { type: 'utf8', value: 'metadata' },
    { type: 'publicKey', value: metaplexProgram },
    { type: 'publicKey', value: mint },
  ]
  return deriveAddress({ programId: metaplexProgram, seeds }, undefined)
}

/** An account of Token-2022 with extensions has its kind in the byte before them; 1 is a mint. */
function isMint(bytes: Buffer): boolean {
  const hasLayout = bytes.length === mintBytes || (bytes.length >= extensionsAt && bytes[extensionsAt - 1] === 1)
  return hasLayout && bytes[initializedAt] === 1
}

/** Extensions are a list of type, length and content. */
function readExtension(bytes: Buffer): Texts | undefined {
  for (let at = extensionsAt; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt16LE(at + 2)
    const content = bytes.subarray(at + 4, at + 4 + length)
    if (bytes.readUInt16LE(at) === metadataExtension) return readTexts(content.subarray(keysBytes))
    at += 4 + length
  }
  return undefined
}

/** The name and the symbol, each as its length in four bytes and its text. */
function readTexts(bytes: Buffer): Texts {
  const name = readText(bytes, 0)
  return { name: tokenText(name), symbol: tokenText(readText(bytes, 4 + name.length)) }
}

function readText(bytes: Buffer, at: number): Buffer {
  if (at + 4 > bytes.length) return Buffer.alloc(0)
  return bytes.subarray(at + 4, at + 4 + bytes.readUInt32LE(at))
}
