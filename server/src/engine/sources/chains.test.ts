import { expect, test } from 'vitest'
import { isReadingMethod, whyNotServed } from './chains.ts'

test.each([
  [
    'evm',
    ['eth_call', 'eth_getLogs', 'eth_chainId'],
    ['eth_sendRawTransaction', 'anvil_setBalance', 'personal_unlockAccount', 'eth_subscribe', 'getBalance'],
  ],
  [
    'substrate',
    ['chain_getHeader', 'state_getStorage', 'system_properties'],
    ['author_submitExtrinsic', 'author_insertKey', 'system_addReservedPeer', 'state_getPairs', 'eth_call'],
  ],
  [
    'solana',
    ['getAccountInfo', 'getSlot', 'simulateTransaction'],
    ['sendTransaction', 'requestAirdrop', 'accountSubscribe', 'get', 'getSlot;', 'eth_call'],
  ],
] as const)('tenants call only methods of %s that read', (kind, reading, others) => {
  expect(reading.filter((method) => !isReadingMethod(method, kind))).toEqual([])
  expect(others.filter((method) => isReadingMethod(method, kind))).toEqual([])
  expect(whyNotServed(others[0], [], kind)).toContain(`"${others[0]}" is not a reading method`)
  expect(whyNotServed(others[0], [others[0]], kind)).toBeUndefined()
})
