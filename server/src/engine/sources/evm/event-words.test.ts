import { expect, test } from 'vitest'
import { hashSignature } from './abi/keccak.ts'
import { tellEvmEvent } from './event-words.ts'
import { knownName } from './known-names.ts'

const names: Record<string, string> = { '0xa': 'Ann', '0xb': 'Bob', '0xv': 'Vault' }
const zero = `0x${'00'.repeat(20)}`
const tell = (event: string, params: Record<string, unknown>) =>
  tellEvmEvent({
    event,
    params,
    contract: '0xv',
    atSeconds: Date.parse('2026-11-19T12:00:00Z') / 1000,
    name: (value) => names[String(value)] ?? knownName(String(value)) ?? String(value),
    amount: (value) => `${value} TKN`,
  })

test.each([
  ['RoleGranted', { role: hashSignature('MINTER_ROLE'), account: '0xa' }, 'Role MINTER_ROLE was granted to Ann'],
  ['RoleRevoked', { role: `0x${'00'.repeat(32)}`, account: '0xb' }, 'Role DEFAULT_ADMIN_ROLE was taken from Bob'],
  ['OwnershipTransferred', { previousOwner: '0xa', newOwner: '0xb' }, 'Ownership passed from Ann to Bob'],
  ['OwnershipTransferred', { previousOwner: '0xa', newOwner: zero }, 'Ann gave up the ownership'],
  ['OwnershipTransferred', { previousOwner: zero, newOwner: '0xb' }, 'Bob became the owner'],
  ['Paused', { account: '0xa' }, 'Ann paused the contract'],
  [
    'CallScheduled',
    { target: '0xv', data: '0xa9059cbb00', delay: '172800' },
    'A call of transfer on Vault was scheduled; it can be executed from 2026-11-21 12:00:00 UTC',
  ],
  ['CallExecuted', { target: '0xv', data: '0x' }, 'A transfer to Vault was executed'],
  [
    'MinDelayChange',
    { oldDuration: '172800', newDuration: '5400' },
    'The delay changed from 2 days to 1 hour 30 minutes',
  ],
  [
    'ProposalCreated',
    { proposalId: '7', proposer: '0xa', voteStart: '1763553600', voteEnd: '1764158400' },
    'Proposal 7 was made by Ann; the vote is open from 2025-11-19 12:00:00 UTC to 2025-11-26 12:00:00 UTC',
  ],
  [
    'ProposalCreated',
    { proposalId: '123456789012345678', voteEnd: '21045818' },
    'Proposal 123456…5678 was made; the vote is open to block 21,045,818',
  ],
  [
    'ProposalQueued',
    { proposalId: '7', etaSeconds: '1763553600' },
    'Proposal 7 was queued; it can be executed from 2025-11-19 12:00:00 UTC',
  ],
  ['VoteCast', { voter: '0xb', proposalId: '7', support: 0 }, 'Bob voted against proposal 7'],
  [
    'Approval',
    { owner: '0xa', spender: '0xb', value: String(2n ** 256n - 1n) },
    'Ann lets Bob spend an unlimited amount',
  ],
  ['Transfer', { from: '0xa', to: '0xb', value: '5' }, '5 TKN moved from Ann to Bob'],
])('%s %j is told in words', (event, params, text) => expect(tell(event, params)).toBe(text))

test('an event that nobody knows, or that has other parameters, has no words', () => {
  expect([tell('Rebalanced', {}), tell('Transfer', { who: '0xa' }), tell('constructor', {})]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('well-known roles and functions have names, which are made from their texts', () => {
  expect(knownName(hashSignature('PROPOSER_ROLE').toUpperCase().replace('0X', '0x'))).toBe('PROPOSER_ROLE')
  expect(knownName('0xb460af94')).toBe('withdraw')
  expect(knownName(hashSignature('NOBODY_KNOWS'))).toBeUndefined()
})
