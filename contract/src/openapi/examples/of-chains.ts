import type { RouteName, Routes } from '../../routes/index.ts'
import type { BodyInput, QueryInput, Reply } from '../../routes/route.ts'
import { project, transferItem, usdc } from './definition.ts'

const ethereum = 'common.ethereum'
const polkadot = 'common.polkadot'
const programId = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const transferFragment = {
  type: 'event',
  name: 'Transfer',
  inputs: [
    { name: 'from', type: 'address', indexed: true },
    { name: 'to', type: 'address', indexed: true },
    { name: 'value', type: 'uint256', indexed: false },
  ],
}
const transferEntry = {
  signature: 'Transfer(address,address,uint256)',
  name: 'Transfer',
  inputs: transferFragment.inputs,
}

type ChainExample<Name extends RouteName> = {
  query?: QueryInput<Routes[Name]>
  body?: BodyInput<Routes[Name]>
  reply: Reply<Routes[Name]>
}

/** Examples of operations whose answers come from a chain. Tests compare them with the schemas. */
export const chainExamples = {
  findEvmAbi: {
    body: { source: ethereum, contract: usdc },
    reply: {
      abi: [transferFragment],
      contract: usdc,
      source: 'sourcify',
      proxy: { kind: 'eip1967', implementation: '0x43506849D7C04F9138D1A2050bbF3A0c054402dd' },
      name: 'FiatTokenV2_2',
    },
  },
  importEvm: {
    body: { project, source: ethereum, contract: usdc },
    reply: { events: [transferEntry], calls: [] },
  },
  inspectAddress: {
    body: { source: ethereum, address: usdc },
    reply: {
      source: ethereum,
      address: usdc,
      name: 'FiatTokenV2_2',
      kind: 'token',
      token: { symbol: 'USDC', name: 'USD Coin', decimals: 6, standard: 'ERC-20' },
      abiSource: 'sourcify',
      looked: { fromBlock: 22999901, toBlock: 23000000, callsFromBlock: 22999991 },
      events: [
        {
          ...transferEntry,
          fragment: transferFragment,
          count: 812,
          latest: { block: 23000000, transaction: transferItem.transactionHash, params: transferItem.params },
        },
      ],
      calls: [],
    },
  },
  findSolanaIdl: {
    body: { source: 'common.solana', programId },
    reply: {
      source: 'common.solana',
      programId,
      account: null,
      idl: null,
      error: 'The program has neither an Anchor IDL account nor one of Program Metadata. Paste the IDL.',
    },
  },
  linkIdentity: {
    body: { password: 'correct horse battery', next: '/account' },
    reply: { url: 'https://login.example.org/authorize?client_id=tocsin&response_type=code&state=tcn_visit_abc' },
  },
  getSubstrateSource: { query: { source: polkadot }, reply: { ss58Prefix: 0 } },
  listSubstratePallets: {
    query: { source: polkadot },
    reply: [
      {
        name: 'Balances',
        docs: ['The balances of accounts.'],
        hasEvents: true,
        hasCalls: true,
        eventCount: 22,
        callCount: 9,
      },
    ],
  },
  getSubstratePallet: {
    query: { source: polkadot, pallet: 'Balances' },
    reply: {
      name: 'Balances',
      docs: ['The balances of accounts.'],
      events: [
        {
          name: 'Transfer',
          docs: ['Transfer succeeded.'],
          fields: [
            { name: 'from', type: 'AccountId32' },
            { name: 'to', type: 'AccountId32' },
            { name: 'amount', type: 'u128' },
          ],
        },
      ],
      calls: [],
      storage: [{ name: 'TotalIssuance', docs: ['The total units issued.'], keys: [], type: 'u128' }],
    },
  },
  backtestTrigger: {
    body: { fullname: 'acme.monitors.large-transfers', lastBlocks: 100, samples: 0 },
    reply: {
      valid: true,
      issues: [],
      fromBlock: 22999901,
      toBlock: 23000000,
      checkedBlocks: 100,
      result: {
        matched: 812,
        fired: 3,
        failed: 0,
        blocks: [{ number: 22999950, at: '2025-07-26T11:50:00.000Z', fired: 3 }],
        samples: [],
        issues: [],
      },
    },
  },
} satisfies { [Name in RouteName]?: ChainExample<Name> }
