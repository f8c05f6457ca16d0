import { type Address, address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit'
import type { Provider } from '@tocsin/contract'
import { afterAll, expect, test } from 'vitest'
import { anchorHash, connectedSolana } from '../../../../../tests/nodes/connected-solana.ts'

/** Against the LiteSVM-backed RPC double. */
const { double, connection, close } = await connectedSolana()
afterAll(close)

const program = address('Vau1t11111111111111111111111111111111111111')
const idl = {
  version: '0.1.0',
  name: 'vault',
  instructions: [],
  accounts: [
    { name: 'Vault', type: { kind: 'struct', fields: [{ name: 'owner', type: 'publicKey' }] } },
    { name: 'Safe', type: { kind: 'struct', fields: [{ name: 'balance', type: 'u64' }] } },
  ],
}
const owner = double.payer.address
const ownerBytes = Uint8Array.from(getAddressEncoder().encode(owner))
const vaultData = Buffer.concat([anchorHash('account:Vault'), ownerBytes])
const seeds = [
  { type: 'string', value: 'vault' },
  { type: 'publicKey', value: owner },
  { type: 'u16', value: '513' },
]
const [vault] = await getProgramDerivedAddress({
  programAddress: program,
  seeds: ['vault', ownerBytes, Uint8Array.of(1, 2)],
})
double.setAccount(vault, program, vaultData, 2n ** 60n + 1n)
const slot = double.produceBlock()
const at = { number: slot, hash: 'h' }
const found = {
  account: vault,
  exists: true,
  owner: program,
  lamports: '1152921504606846977',
  executable: false,
  rentEpoch: '18446744073709551615',
  slot,
}

test('an account is read with all fields; without an IDL its data is hex or base64', async () => {
  expect(await read({ account: vault })).toEqual({ ...found, data: `0x${vaultData.toString('hex')}` })
  const data = vaultData.toString('base64')
  expect(await read({ account: vault, bytesEncoding: 'base64' })).toEqual({ ...found, data })
})

test('an account derived from seeds is found and decoded, by name or by discriminator', async () => {
  const decoded = { ...found, data: { owner } }
  expect(await read({ account: '', pda: { programId: program, seeds }, idl, accountName: 'vault' })).toEqual(decoded)
  expect(await read({ account: '', programId: program, pda: { seeds }, idl: JSON.stringify(idl) })).toEqual(decoded)
})

test('an account that does not exist is a result, not an error', async () => {
  const account = 'Nobody1111111111111111111111111111111111111'
  const nothing = { exists: false, owner: null, lamports: '0', executable: false, rentEpoch: null, data: null }
  expect(await read({ account, idl })).toEqual({ account, slot, ...nothing })
})

test('an account of another type than the IDL says fails with a clear message', async () => {
  await expect(read({ account: vault, idl, accountName: 'Safe' })).rejects.toThrow(
    "The account's data (40 bytes) is not that of the account Safe of the IDL.",
  )
})

test.each([
  [{ account: 'nowhere' }, '"nowhere" is not a Solana address.'],
  [{ account: '', pda: { seeds } }, 'pda needs a programId'],
  [{ account: '', programId: program, pda: { seeds: [{ type: 'u8', value: 256 }] } }, 'pda.seeds.0: 256 is not a u8.'],
])('%j is refused before any call', async (provider, message) => {
  await expect(read(provider)).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining(message) })
})

test('a node that has not reached the slot of the item is not used', async () => {
  const provider = solanaAccount({ account: vault })
  await expect(connection.read(provider, { ...at, number: slot + 5 })).rejects.toMatchObject({ kind: 'failed' })
  expect(await connection.read(provider, undefined)).toMatchObject({ exists: true })
})

test('a provider of another chain is refused', async () => {
  const provider: Provider = { id: 'p', type: 'substrate_storage', module: 'System', entry: 'Account' }
  await expect(connection.read(provider, at)).rejects.toMatchObject({ kind: 'refused' })
})

type SolanaAccount = Extract<Provider, { type: 'solana_account' }>

function solanaAccount(fields: Omit<SolanaAccount, 'id' | 'type'> & { account: Address | string }): SolanaAccount {
  return { id: 'p', type: 'solana_account', ...fields }
}

function read(fields: Omit<SolanaAccount, 'id' | 'type'>) {
  return connection.read(solanaAccount(fields), at)
}
