import { isObject } from '../../../base/is-object.ts'
import { parseJson } from '../../../base/parse-json.ts'
import type { FoundIdl } from '../../connection.ts'
import { fetchAccount } from '../account.ts'
import type { Ask } from '../calls.ts'
import { deriveAddress } from '../pda.ts'
import { type IdlContent, readAnchorAccount, readMetadataAccount } from './idl-accounts.ts'
import { readIdl } from './read-idl.ts'

const metadataProgram = 'ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S'
const seedBytes = 16

/**
 * Finds the IDL that a program has on the chain: in the account that Anchor derives from the program, else in the program's
 * own account at the Program Metadata program. Without one, `error` says what was tried.
 */
export async function findIdl(ask: Ask, programId: string): Promise<FoundIdl> {
  const { state } = await fetchAccount(ask, programId, undefined)
  if (!state) return nothing(`There is no account ${programId} on this network. Check the address and the source.`)
  if (!state.executable) return nothing(`${programId} is not a program, but an account of ${state.owner}.`)
  const anchor = await findAnchorIdl(ask, programId)
  if (anchor && 'idl' in anchor) return anchor
  const metadata = await findMetadataIdl(ask, programId)
  if (metadata && 'idl' in metadata) return metadata
  const problems = [anchor, metadata].flatMap((found) => (found ? [found.error] : []))
  if (problems.length > 0) return nothing(`${problems.join(' ')} Paste the IDL instead.`)
  return nothing(
    `The program ${programId} has no IDL on the chain: neither an Anchor IDL account nor Program Metadata. Paste the IDL instead.`,
  )
}

function nothing(error: string): FoundIdl {
  return { account: null, idl: null, error }
}

type Found = FoundIdl | { error: string } | undefined

/** The account is owned by the program itself, so only the program's authority can write it. */
async function findAnchorIdl(ask: Ask, programId: string): Promise<Found> {
  const { address, createAddressWithSeed } = await import('@solana/addresses')
  const base = await deriveAddress({ programId, seeds: [] }, undefined)
  const account = await createAddressWithSeed({
    baseAddress: address(base),
    programAddress: address(programId),
    seed: 'anchor:idl',
  })
  const { state, data } = await fetchAccount(ask, account, undefined)
  if (state?.owner !== programId) return undefined
  return toFound(account, 'The Anchor IDL account', await readAnchorAccount(Buffer.from(data, 'base64')))
}

/** The canonical account, which only the program's authority can write. */
async function findMetadataIdl(ask: Ask, programId: string): Promise<Found> {
  const seeds = [
    { type: 'publicKey', value: programId },
    { type: 'bytes', value: [...Buffer.from('idl'.padEnd(seedBytes, '\0'))] },
  ]
  const account = await deriveAddress({ programId: metadataProgram, seeds }, undefined)
  const { state, data } = await fetchAccount(ask, account, undefined)
  if (state?.owner !== metadataProgram) return undefined
  return toFound(account, 'The Program Metadata account', await readMetadataAccount(Buffer.from(data, 'base64')))
}

function toFound(account: string, holder: string, content: IdlContent): Found {
  if ('problem' in content) return { error: `${holder} ${account} ${content.problem}.` }
  const idl = parseObject(content.text)
  if (!idl) return { error: `${holder} ${account} holds no JSON object.` }
  const read = readIdl(idl)
  return { account, idl, ...(!read.ok && { error: `${holder} ${account} holds JSON that ${read.message}.` }) }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
