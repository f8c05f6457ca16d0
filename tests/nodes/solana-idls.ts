import { createHash } from 'node:crypto'
import {
  address,
  createAddressWithSeed,
  getAddressEncoder,
  getProgramDerivedAddress,
  type ReadonlyUint8Array,
} from '@solana/kit'
import type { SolanaDouble } from './solana.ts'

const metadataProgram = address('ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S')

/** Writes the account of an IDL of the emitter program by hand, as Anchor or the Program Metadata program does. */
export const setIdl = {
  async anchor({ emitter, setAccount }: SolanaDouble, packed: Uint8Array): Promise<string> {
    const [baseAddress] = await getProgramDerivedAddress({ programAddress: emitter, seeds: [] })
    const account = await createAddressWithSeed({ baseAddress, programAddress: emitter, seed: 'anchor:idl' })
    const discriminator = createHash('sha256').update('internal:IdlAccount').digest().subarray(0, 8)
    setAccount(account, emitter, Buffer.concat([discriminator, Buffer.alloc(32), u32(packed.length), packed]))
    return account
  },
  async metadata(
    { emitter, setAccount }: SolanaDouble,
    data: Uint8Array,
    { compression = 0, dataSource = 0 }: { compression?: number; dataSource?: number },
  ): Promise<string> {
    const seed = Buffer.from('idl'.padEnd(16, '\0'))
    const program: ReadonlyUint8Array = getAddressEncoder().encode(emitter)
    const [account] = await getProgramDerivedAddress({ programAddress: metadataProgram, seeds: [program, seed] })
    const [utf8, json] = [1, 1]
    const flags = Buffer.from([1, 1])
    const kinds = Buffer.from([utf8, compression, json, dataSource])
    const length = Buffer.concat([u32(data.length), Buffer.alloc(5)])
    const header = [Buffer.from([2]), Buffer.from(program), Buffer.alloc(32), flags, seed, kinds, length]
    setAccount(account, metadataProgram, Buffer.concat([...header, data]))
    return account
  },
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
