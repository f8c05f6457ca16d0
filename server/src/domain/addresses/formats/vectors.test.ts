import type { AddressType } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { checkAddress } from './index.ts'

const alice = '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'

/** Addresses of real networks and of the standards' own test vectors, with their normal forms where these differ. */
const good: [AddressType, string, address: string, normal?: string][] = [
  [
    'evm',
    'EIP-55, all upper',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x52908400098527886e0f7030069857d2e4169ee7',
  ],
  [
    'evm',
    'EIP-55, all upper',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0x8617e340b3d01fa5f11f306f4090fd50e238070d',
  ],
  ['evm', 'EIP-55, all lower', '0xde709f2102306220921060314715629080e2fb77'],
  ['evm', 'EIP-55, all lower', '0x27b1fdb04752bbc536007a920d24acb045561c26'],
  ['evm', 'EIP-55, mixed', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['evm', 'EIP-55, mixed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359'],
  ['evm', 'EIP-55, mixed', '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB', '0xdbf03b407c01e7cd3cbea99509d93f8dddc8c6fb'],
  ['evm', 'EIP-55, mixed', '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb', '0xd1220a0cf47c7b9be7a2e6ba89f429762e7b9adb'],
  ['evm', 'digits only', '0x0000000000000000000000000000000000000000'],
  ['ss58', 'generic 42', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', alice],
  ['ss58', 'Polkadot', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5', alice],
  ['ss58', 'Kusama', 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F', alice],
  [
    'ss58',
    'two-byte prefix 66',
    'cTGShekJ1L1UKFZR9xmv9UTJod7vqjFAPo4sDhXih2c3y1yLS',
    '0x04a047d52fe542484c69bc528990cfeaf3a663dded0638ee1b51cf78bacd1072',
  ],
  [
    'ss58',
    'two-byte prefix 255',
    'yGF4JP7q5AK46d1FPCEm9sYQ4KooSjHMpyVAjLnsCSWVafPnf',
    '0x66cd6cf085627d6c85af1aaf2bd10cf843033e929b4e3b1c2ba8e4aa46fe111b',
  ],
  [
    'ss58',
    'two-byte prefix 14269',
    'r6Gr4gaMP8TsjhFbqvZhv3YvnasugLiRJpzpRHifsqqG18UXa',
    '0x88f01441682a17b52d6ae12d1a5670cf675fd254897efabaa5069eb3a701ab73',
  ],
  [
    'ss58',
    'a compressed ECDSA key, prefix 200',
    '4pbsSkWcBaYoFHrKJZp5fDVUKbqSYD9dhZZGvpp3vQ5ysVs5ybV',
    '0x035676109c54b9a16d271abeb4954316a40a32bcce023ac14c8e26e958aa68fba9',
  ],
  ['ss58', 'an account index', 'F7NZ', '0x01'],
  ['solana', 'system program', '11111111111111111111111111111111'],
  ['solana', 'wrapped SOL', 'So11111111111111111111111111111111111111112'],
  ['solana', 'token program', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
  ['bitcoin', 'mainnet P2PKH', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['bitcoin', 'mainnet P2SH', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['bitcoin', 'testnet P2PKH', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
  ['bitcoin', 'testnet P2SH', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc'],
  ['bitcoin', 'BIP-173 v0', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['bitcoin', 'BIP-173 v0 testnet', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7'],
  ['bitcoin', 'BIP-173 v0 testnet', 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy'],
  ['bitcoin', 'signet', 'tb1qxc9rhgpdjcp42nmhg6lepe7pp5g86tx25vlv8h'],
  ['bitcoin', 'regtest', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'],
  ['bitcoin', 'BIP-350 v1', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['bitcoin', 'BIP-350 v1 testnet', 'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c'],
  ['bitcoin', 'BIP-350 v1 of 40 bytes', 'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y'],
  ['bitcoin', 'BIP-350 v2', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs'],
  ['bitcoin', 'BIP-350 v16', 'BC1SW50QGDZ25J', 'bc1sw50qgdz25j'],
  ['bitcoin', 'pay to anchor', 'bc1pfeessrawgf'],
  ['cosmos', 'an account', 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh'],
  ['cosmos', 'a validator', 'cosmosvaloper1sjllsnramtg3ewxqwwrwjxfgc4n4ef9u2lcnj0'],
  ['cosmos', 'a contract', 'wasm14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9s0phg4d'],
  [
    'cosmos',
    'upper case',
    'COSMOS1FL48VSNMSDZCV85Q5D2Q4Z5AJDHA8YU34MF0EH',
    'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh',
  ],
  ['plain', 'any text', 'vitalik.eth'],
  ['plain', 'spaces inside', 'cold wallet 1'],
  ['plain', 'one character', 'x'],
  ['plain', '256 characters', 'x'.repeat(256)],
  ['plain', '256 characters beyond the basic plane', '🦄'.repeat(256)],
  ['plain', 'a letter and its accent', 'cafe\u0301', 'café'],
]

test.each(good)('%s accepts %s', (type, _, address, normal = address) => {
  expect(checkAddress(type, address)).toEqual({ ok: true, address, normal })
  expect(checkAddress(type, ` \t${address}\n`)).toEqual({ ok: true, address, normal })
})

const bad: [AddressType, string, address: string, message: RegExp][] = [
  ['evm', 'a wrong digit', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee', /checksum/],
  ['evm', 'a wrong case', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', /checksum/],
  ['evm', 'no prefix', '52908400098527886E0F7030069857D2E4169EE7', /0x and 40/],
  ['evm', 'an upper-case prefix', '0X52908400098527886E0F7030069857D2E4169EE7', /0x and 40/],
  ['evm', '39 digits', '0x52908400098527886E0F7030069857D2E4169EE', /0x and 40/],
  ['evm', '41 digits', '0x52908400098527886E0F7030069857D2E4169EE77', /0x and 40/],
  ['evm', 'a letter beyond f', '0xg2908400098527886e0f7030069857d2e4169ee7', /0x and 40/],
  ['evm', 'a long text', `0x${'0'.repeat(1_000_000)}`, /0x and 40/],
  ['ss58', 'a wrong character', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQZ', /checksum/],
  ['ss58', 'a wrong character', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp6', /checksum/],
  ['ss58', 'a wrong character', 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74G', /checksum/],
  ['ss58', 'a wrong character', 'cTGShekJ1L1UKFZR9xmv9UTJod7vqjFAPo4sDhXih2c3y1yLT', /checksum/],
  ['ss58', 'a letter that base58 lacks', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKut0Y', /base58/],
  ['ss58', 'a missing character', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQ', /SS58/],
  ['ss58', 'an EVM address', '0x52908400098527886E0F7030069857D2E4169EE7', /base58/],
  ['ss58', 'a long text', '5'.repeat(1_000_000), /base58/],
  ['solana', '31 bytes', '1111111111111111111111111111111', /32 bytes/],
  ['solana', '33 bytes', '111111111111111111111111111111111', /32 bytes/],
  ['solana', 'a letter that base58 lacks', 'So1111111111111111111111111111111111111111O', /32 bytes/],
  ['solana', 'a long text', '1'.repeat(1_000_000), /32 bytes/],
  ['bitcoin', 'a wrong character', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', /checksum/],
  ['bitcoin', 'a wrong character', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLz', /checksum/],
  ['bitcoin', 'a wrong character', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfo', /checksum/],
  ['bitcoin', 'a wrong character', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vd', /checksum/],
  ['bitcoin', 'a wrong character', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt08q', /checksum/],
  ['bitcoin', 'Dogecoin', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', /another chain/],
  ['bitcoin', 'Litecoin', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', /neither/],
  ['bitcoin', 'a long text', '1'.repeat(1_000_000), /neither/],
  ['bitcoin', 'a long bech32 text', `bc1${'q'.repeat(1_000_000)}`, /checksum/],
  ['bitcoin', 'BIP-173: unknown prefix', 'tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty', /neither/],
  ['bitcoin', 'BIP-173: checksum', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', /checksum/],
  ['bitcoin', 'BIP-173: version 17', 'BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2', /witness/],
  ['bitcoin', 'BIP-173: program length', 'bc1rw5uspcuh', /witness/],
  [
    'bitcoin',
    'BIP-173: program length',
    'bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90',
    /witness/,
  ],
  ['bitcoin', 'BIP-173: v0 program length', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', /witness/],
  [
    'bitcoin',
    'BIP-173: mixed case',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7',
    /case are mixed/,
  ],
  ['bitcoin', 'BIP-173: padding', 'bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du', /witness/],
  ['bitcoin', 'BIP-173: padding', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv', /witness/],
  ['bitcoin', 'BIP-173: empty', 'bc1gmk9yu', /witness/],
  ['bitcoin', 'BIP-350: v1 as bech32', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', /witness/],
  ['bitcoin', 'BIP-350: v2 as bech32', 'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf', /witness/],
  ['bitcoin', 'BIP-350: v16 as bech32', 'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL', /witness/],
  ['bitcoin', 'BIP-350: v0 as bech32m', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', /witness/],
  ['bitcoin', 'BIP-350: v0 as bech32m', 'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47', /witness/],
  ['bitcoin', 'BIP-350: alphabet', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', /checksum/],
  ['bitcoin', 'BIP-350: version 17', 'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R', /witness/],
  ['bitcoin', 'BIP-350: 1 byte', 'bc1pw5dgrnzv', /witness/],
  [
    'bitcoin',
    'BIP-350: 41 bytes',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
    /witness/,
  ],
  [
    'bitcoin',
    'BIP-350: mixed case',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq',
    /case are mixed/,
  ],
  ['bitcoin', 'BIP-350: padding', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf', /witness/],
  ['bitcoin', 'BIP-350: padding', 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j', /witness/],
  ['cosmos', 'a wrong character', 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eq', /checksum/],
  ['cosmos', 'another chain of the same bytes', 'osmo1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh', /checksum/],
  ['cosmos', 'mixed case', 'Cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh', /case are mixed/],
  ['cosmos', 'a Bitcoin address', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /20 to 32 bytes/],
  ['cosmos', 'a taproot address', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', /checksum/],
  ['cosmos', 'no bytes', 'A12UEL5L', /20 to 32 bytes/],
  ['cosmos', 'a long text', `cosmos1${'q'.repeat(1_000_000)}`, /checksum/],
  ['plain', '257 characters', 'x'.repeat(257), /256/],
  ['plain', '257 characters beyond the basic plane', '🦄'.repeat(257), /256/],
  ['plain', 'a long text', 'x'.repeat(1_000_000), /256/],
  ['plain', 'NUL', 'a\0b', /control/],
  ['plain', 'a line break', 'a\nb', /control/],
  ['plain', 'a line separator', 'a\u2028b', /control/],
  ['plain', 'a turned direction of writing', 'a\u202eb', /control/],
  ['plain', 'half a character', 'a\ud83e', /control/],
]

test.each(bad)('%s refuses %s', (type, _, address, message) => {
  const checked = checkAddress(type, address)
  expect(checked).toEqual({ ok: false, message: expect.stringMatching(message) })
})

const types: AddressType[] = ['plain', 'ss58', 'evm', 'solana', 'bitcoin', 'cosmos']

test.each(types)('%s refuses a blank address', (type) => {
  expect(checkAddress(type, '')).toEqual({ ok: false, message: 'The address is empty.' })
  expect(checkAddress(type, ' \n\t ')).toEqual({ ok: false, message: 'The address is empty.' })
})
