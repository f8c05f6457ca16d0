import { CoreActionsReply } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { readDefinition } from '../../../engine/compile/index.ts'
import { coreActions } from './index.ts'

test.each(coreActions.map((action) => [action.type, action] as const))(
  '%s is a valid definition as it stands',
  async (type, action) => {
    const { triggerSpec, inputs, filtersSchema, outputSchema, transform, defaults } = action
    const read = await readDefinition({
      name: type,
      fullname: `acme.p.${type}`,
      project: 'acme.p',
      workspace: 'acme',
      backend: { type: 'sdk' },
      meta: { title: action.title, description: action.description },
      triggerSpec,
      inputs,
      filtersSchema,
      outputSchema,
      transform,
      defaults,
    })
    expect(read.ok ? [] : read.issues).toEqual([])
  },
)

test('the catalogue is complete, has one entry a type, and fits its reply', () => {
  const types = [
    'erc20_transfer',
    'erc721_transfer',
    'erc1155_transfer',
    'erc20_approval',
    'native_transfer',
    'contract_event',
    'uniswap_v2_swap',
    'uniswap_v3_swap',
    'balances_transfer',
    'staking_reward',
    'governance_vote',
    'spl_transfer',
    'anchor_event',
    'timer',
  ]
  expect(coreActions.map((action) => action.type)).toEqual(types)
  expect(CoreActionsReply.parse({ actions: coreActions })).toEqual({ actions: coreActions })
})

/** Items as the sources make them, so that what the starting points do with them is seen, not guessed. */
const params = {
  ...{ from: '0xa', to: '0xb', value: '5', tokenId: 7, operator: '0xc', id: 1, owner: '0xa', spender: '0xb' },
  ...{
    sender: '0xa',
    recipient: '0xb',
    amount0In: 0,
    amount1In: '9',
    amount0Out: 4,
    amount1Out: 0,
    amount0: '-5',
    amount1: 6,
  },
  ...{ sqrtPriceX96: '1', liquidity: 2, tick: -3, amount: '10', stash: '5x', who: '5y', vote: { Standard: {} } },
  ...{ mint: 'm', source: 's', destination: 'd', authority: 'w', decimals: 6 },
}
const item = {
  ...{
    address: '0xt',
    event: 'E',
    params,
    transactionHash: '0xh',
    blockNumber: 1,
    index: 0,
    programId: 'p',
    now: 'n',
    timestampMs: 1,
  },
  ...{
    block: { number: 1, slot: 1 },
    transaction: { signature: 's' },
    from: '0xa',
    to: '0xb',
    value: '1',
    hash: '0xh',
  },
}

test.each(coreActions.map((action) => [action.type, action] as const))(
  'the transform of %s fills its outputSchema',
  (_, action) => {
    const raw = run(action.transform?.rawSource ?? '', {})
    const { raw: schema = {}, human: humanSchema = {} } = action.outputSchema as Record<
      string,
      Record<string, { optional?: boolean }>
    >
    expect(Object.keys(raw)).toEqual(expect.arrayContaining(requiredOf(schema)))
    const human = action.transform?.humanSource ? run(action.transform.humanSource, raw) : raw
    expect(Object.keys(human)).toEqual(expect.arrayContaining(requiredOf(humanSchema)))
  },
)

function requiredOf(schema: Record<string, { optional?: boolean }>): string[] {
  return Object.keys(schema).filter((name) => !schema[name]?.optional)
}

/** Our own scripts, in a test: the sandbox is for tenants'. */
function run(source: string, raw: object): object {
  const body = /\breturn\b/.test(source) ? source : `return ${source}`
  return new Function('source', 'inputs', 'helpers', 'raw', body)(item, {}, { formatUnits: String }, raw)
}
