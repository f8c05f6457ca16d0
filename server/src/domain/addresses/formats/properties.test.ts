import { createHash } from 'node:crypto'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import type { AddressType } from '@tocsin/contract'
import fc from 'fast-check'
import { checksum } from 'ox/Address'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../../tests/harness/property-runs.ts'
import { checkAddress } from './index.ts'

const bech32Alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const base58Alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest())

const type = fc.constantFrom<AddressType>('plain', 'ss58', 'evm', 'solana', 'bitcoin', 'cosmos')
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

test('a check never throws, whatever the text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...base58Alphabet), maxLength: 120 }),
    fc.string({ unit: fc.constantFrom(...bech32Alphabet), maxLength: 120 }).map((data) => `bc1${data}`),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
    fc.uint8Array({ maxLength: 40 }).map((data) => base58.encode(data)),
    fc.uint8Array({ maxLength: 40 }).map((data) => bech32.encode('tb', bech32.toWords(data))),
    fc.uint8Array({ maxLength: 40 }).map((data) => bech32m.encode('tb', bech32m.toWords(data))),
  )
  fc.assert(
    fc.property(type, text, (type, text) => {
      const checked = checkAddress(type, text)
      if (checked.ok) expect(checkAddress(type, checked.address)).toEqual(checked)
      else expect(checked.message).not.toBe('')
    }),
    { numRuns: propertyRuns(3000) },
  )
})

test('the address of every key and hash is accepted', () => {
  fc.assert(
    fc.property(bytes(32), bytes(20), (key, hash) => {
      const lower = `0x${Buffer.from(hash).toString('hex')}` as const
      expect(checkAddress('evm', checksum(lower))).toMatchObject({ ok: true, normal: lower })
      expect(checkAddress('solana', base58.encode(key))).toMatchObject({ ok: true })
      expect(checkAddress('cosmos', bech32.encode('osmo', bech32.toWords(hash)))).toMatchObject({ ok: true })
      expect(checkAddress('bitcoin', base58check.encode(Uint8Array.of(0x05, ...hash)))).toMatchObject({ ok: true })
      const taproot = bech32m.encode('bcrt', [1, ...bech32m.toWords(key)])
      expect(checkAddress('bitcoin', taproot)).toMatchObject({ ok: true, normal: taproot })
    }),
  )
})

test('a key has one normal form under every SS58 prefix', () => {
  fc.assert(
    fc.property(bytes(32), fc.integer({ min: 0, max: 16383 }), (key, prefix) => {
      fc.pre(prefix !== 46 && prefix !== 47)
      expect(checkAddress('ss58', ss58(prefix, key))).toMatchObject({
        ok: true,
        normal: `0x${Buffer.from(key).toString('hex')}`,
      })
    }),
  )
})

test('reserved SS58 prefixes and wrong key lengths are refused', () => {
  expect(checkAddress('ss58', ss58(46, new Uint8Array(32)))).toMatchObject({ ok: false })
  expect(checkAddress('ss58', ss58(47, new Uint8Array(32)))).toMatchObject({ ok: false })
  expect(checkAddress('ss58', ss58(42, new Uint8Array(31)))).toMatchObject({ ok: false })
  expect(checkAddress('ss58', ss58(42, new Uint8Array(34)))).toMatchObject({ ok: false })
  expect(checkAddress('ss58', ss58(42, new Uint8Array(0)))).toMatchObject({ ok: false })
})

test('one wrong character in a bech32 address is always refused', () => {
  const segwit = bytes(20).map((hash) => ['bitcoin', bech32.encode('bc', [0, ...bech32.toWords(hash)])] as const)
  const taproot = bytes(32).map((key) => ['bitcoin', bech32m.encode('tb', [1, ...bech32m.toWords(key)])] as const)
  const cosmos = bytes(20).map((hash) => ['cosmos', bech32.encode('cosmos', bech32.toWords(hash))] as const)
  fc.assert(
    fc.property(
      fc.oneof(segwit, taproot, cosmos),
      fc.nat(),
      fc.constantFrom(...bech32Alphabet),
      ([type, address], at, character) => {
        const wrong = replaceAt(address, at % address.length, character)
        fc.pre(wrong !== address)
        expect(checkAddress(type, wrong)).toMatchObject({ ok: false })
      },
    ),
    { numRuns: propertyRuns(2000) },
  )
})

test('one letter of the wrong case in a mixed-case EVM address is always refused', () => {
  fc.assert(
    fc.property(bytes(20), fc.integer({ min: 2, max: 41 }), (hash, at) => {
      const address = checksum(`0x${Buffer.from(hash).toString('hex')}`)
      const letter = address.charAt(at)
      const wrong = replaceAt(
        address,
        at,
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      )
      fc.pre(wrong !== address && /[a-f]/.test(wrong.slice(2)) && /[A-F]/.test(wrong))
      expect(checkAddress('evm', wrong)).toMatchObject({ ok: false })
    }),
    { numRuns: propertyRuns(1000) },
  )
})

// These checksums are hashes: a wrong character passes once in 2^16 (SS58) or 2^32 (Bitcoin) times, so the addresses are fixed ones.
test.each<[AddressType, string]>([
  ['ss58', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'],
  ['ss58', 'cTGShekJ1L1UKFZR9xmv9UTJod7vqjFAPo4sDhXih2c3y1yLS'],
  ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['bitcoin', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc'],
])('every wrong character in the %s address %s is refused', (type, address) => {
  for (let at = 0; at < address.length; at += 1) {
    for (const character of base58Alphabet) {
      const wrong = replaceAt(address, at, character)
      if (wrong !== address) expect(checkAddress(type, wrong), wrong).toMatchObject({ ok: false })
    }
  }
})

function replaceAt(text: string, at: number, character: string): string {
  return text.slice(0, at) + character + text.slice(at + 1)
}

/** Written from the SS58 text, apart from the code under test. */
function ss58(prefix: number, body: Uint8Array): string {
  const head =
    prefix < 64 ? [prefix] : [((prefix & 0b1111_1100) >> 2) | 0b0100_0000, (prefix >> 8) | ((prefix & 0b11) << 6)]
  const data = Uint8Array.of(...head, ...body)
  const hash = createHash('blake2b512').update('SS58PRE').update(data).digest()
  return base58.encode(Uint8Array.of(...data, ...hash.subarray(0, 2)))
}
